/**
 * The few messages of the PostgreSQL wire protocol that stand between a client library and the embedded
 * database. A frame is one type byte, a 32-bit length that counts itself, and a body; only the startup
 * message has no type byte.
 */

const HEADER = 5;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** What the database says about its transaction at the end of an answer. */
export type TransactionStatus = 'idle' | 'open' | 'failed';

/** One or more whole messages of a client that the database must answer together. */
export interface ClientBatch {
  readonly frames: Buffer;
  /** SQL of a simple query, else of the first statement that the batch prepares. */
  readonly sql: string | null;
  readonly kind: 'simple' | 'extended';
}

export type ClientInput =
  | { readonly kind: 'startup' }
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'batch'; readonly batch: ClientBatch }
  | { readonly kind: 'terminate' };

/** Cuts a client's byte stream into what must be answered; keeps what is not whole yet. */
export class ClientInputSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #started = false;
  #pending: Buffer[] = [];
  #sql: string | null = null;

  push(chunk: Buffer): ClientInput[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const inputs: ClientInput[] = [];
    for (;;) {
      const frame = this.#takeFrame();
      if (frame === null) return inputs;
      const input = this.#started ? this.#typed(frame) : this.#untyped(frame);
      if (input !== null) inputs.push(input);
    }
  }

  #takeFrame(): Buffer | null {
    const lengthAt = this.#started ? 1 : 0;
    if (this.#rest.length < lengthAt + 4) return null;
    const size = lengthAt + this.#rest.readInt32BE(lengthAt);
    if (this.#rest.length < size) return null;
    const frame = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return frame;
  }

  #untyped(frame: Buffer): ClientInput {
    const code = frame.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption' };
    if (code === CANCEL_REQUEST) return { kind: 'cancel' };
    this.#started = true;
    return { kind: 'startup' };
  }

  #typed(frame: Buffer): ClientInput | null {
    const type = String.fromCharCode(frame[0] ?? 0);
    if (type === 'X') return { kind: 'terminate' };
    this.#pending.push(frame);
    if (type === 'Q') return this.#batch(firstText(frame), 'simple');
    if (type === 'P') this.#sql ??= preparedText(frame);
    // The database answers a pipeline at Sync, and as far as it has come at Flush.
    return type === 'S' || type === 'H' ? this.#batch(this.#sql, 'extended') : null;
  }

  #batch(sql: string | null, kind: ClientBatch['kind']): ClientInput {
    const [only, ...more] = this.#pending;
    const frames = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#sql = null;
    return { kind: 'batch', batch: { frames, sql, kind } };
  }
}

/** What the database answered, with the notifications taken out: those belong to whoever listens. */
export interface ServerAnswer {
  readonly frames: Buffer;
  /** Whole NotificationResponse messages. */
  readonly notifications: readonly Buffer[];
  /** Null when the answer goes on: no ReadyForQuery, as after Flush. */
  readonly status: TransactionStatus | null;
}

const STATUS: Readonly<Record<string, TransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };

export function readAnswer(bytes: Buffer): ServerAnswer {
  const kept: Buffer[] = [];
  const notifications: Buffer[] = [];
  let status: TransactionStatus | null = null;
  let from = 0;
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    const type = String.fromCharCode(bytes[at] ?? 0);
    if (type === 'Z') status = STATUS[String.fromCharCode(bytes[at + HEADER] ?? 0)] ?? null;
    if (type === 'A') {
      kept.push(bytes.subarray(from, at));
      notifications.push(bytes.subarray(at, end));
      from = end;
    }
    at = end;
  }
  if (notifications.length === 0) return { frames: bytes, notifications, status };
  kept.push(bytes.subarray(from));
  return { frames: Buffer.concat(kept), notifications, status };
}

/** The channel of a NotificationResponse: process id, channel, payload. */
export function notificationChannel(frame: Buffer): string {
  const start = HEADER + 4;
  return frame.toString('utf8', start, frame.indexOf(0, start));
}

/** What a server says after a startup message: no password, its parameters, ready. */
export function greeting(processId: number): Buffer {
  const parameters = {
    server_version: '18',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  };
  const key = Buffer.alloc(8);
  key.writeInt32BE(processId, 0);
  return Buffer.concat([
    frame('R', Buffer.alloc(4)),
    ...Object.entries(parameters).map(([name, value]) => frame('S', Buffer.from(`${name}\0${value}\0`))),
    frame('K', key),
    readyFrame(),
  ]);
}

/** "No encryption here", the answer to an SSL or GSS request. */
export const ENCRYPTION_REFUSED = Buffer.from('N');

export function readyFrame(): Buffer {
  return frame('Z', Buffer.from('I'));
}

export function queryFrame(sql: string): Buffer {
  return frame('Q', Buffer.from(`${sql}\0`));
}

/** ErrorResponse. `FATAL` tells a client that its connection is over. */
export function errorFrame(severity: 'ERROR' | 'FATAL', sqlState: string, message: string): Buffer {
  const fields = { S: severity, V: severity, C: sqlState, M: message };
  const body = Object.entries(fields).map(([key, value]) => Buffer.from(`${key}${value}\0`));
  return frame('E', Buffer.concat([...body, Buffer.from([0])]));
}

function frame(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  body.copy(bytes, HEADER);
  return bytes;
}

function firstText(frame: Buffer): string {
  return frame.toString('utf8', HEADER, frame.length - 1);
}

/** Parse: name of the statement, its text, types of its parameters. */
function preparedText(frame: Buffer): string {
  const start = frame.indexOf(0, HEADER) + 1;
  return frame.toString('utf8', start, frame.indexOf(0, start));
}
