import { Duplex } from 'node:stream';
import { EngineLost } from './engine.js';
import { classifyStatement, failingStatement, type Statement } from './statement.js';
import { type Turnstile } from './turnstile.js';
import {
  type ClientBatch,
  type ClientInput,
  ClientInputSplitter,
  ENCRYPTION_REFUSED,
  errorFrame,
  greeting,
  queryFrame,
  readAnswer,
  readyFrame,
} from './wire-frames.js';

/** What a session needs of the server that it belongs to. */
export interface SessionHost {
  readonly turnstile: Turnstile;
  exec(frames: Uint8Array): Promise<Uint8Array>;
  /** Hands a notification to every session that listens. */
  notify(frame: Buffer): void;
  /** The session is over. */
  left(session: WireSession): void;
  /** The backend died: what it knew of every other session died with it. */
  severAll(sqlState: string, message: string): void;
}

/**
 * One connection to the embedded database, given to `pg` in place of a socket. The single backend is shared:
 * a session takes it for one batch, and keeps it while a transaction is open.
 */
export class WireSession extends Duplex {
  readonly #channels = new Set<string>();
  readonly #input = new ClientInputSplitter();
  #work: Promise<void> = Promise.resolve();
  #holdsBackend = false;
  #over = false;

  constructor(
    private readonly host: SessionHost,
    private readonly processId: number,
  ) {
    super();
  }

  listensOn(channel: string): boolean {
    return this.#channels.has(channel);
  }

  /** Ends the session from the server's side: the client learns why and must connect anew. */
  sever(sqlState: string, message: string): void {
    if (this.#over) return;
    this.#over = true;
    this.host.left(this);
    this.#freeBackend();
    // An error of the stream, not a message in it: so `pg` gives up the client before it reports the query.
    this.destroy(Object.assign(new Error(message), { code: sqlState }));
  }

  // What `pg` calls on a socket.
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed when they are there; a client that sent a query is about to read.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (const input of this.#input.push(chunk)) this.#accept(input);
    done();
  }

  override _final(done: () => void): void {
    this.#leave();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#leave();
    done(error);
  }

  #accept(input: ClientInput): void {
    switch (input.kind) {
      case 'encryption':
        this.push(ENCRYPTION_REFUSED);
        return;
      case 'startup':
        this.push(greeting(this.processId));
        return;
      case 'batch':
        this.#work = this.#work.then(() => this.#run(input.batch));
        return;
      case 'cancel':
      case 'terminate':
        this.#leave();
    }
  }

  async #run(batch: ClientBatch): Promise<void> {
    if (this.#over || !(await this.#takeBackend())) return;
    const statement = classifyStatement(batch.sql);
    try {
      const answer = readAnswer(Buffer.from(await this.host.exec(this.#framesFor(batch, statement))));
      this.#remember(statement);
      // Free the backend before the client hears the answer, so that its next query finds it free.
      if (answer.status === 'idle') this.#freeBackend();
      for (const notification of answer.notifications) this.host.notify(notification);
      if (answer.frames.length > 0) this.push(answer.frames);
    } catch (error) {
      const lost = error instanceof EngineLost ? error : new EngineLost('57P02', String(error));
      this.sever(lost.sqlState, lost.message);
      this.host.severAll('57P02', 'the embedded database was restarted');
    }
  }

  async #takeBackend(): Promise<boolean> {
    if (this.#holdsBackend) return true;
    const entered = await this.host.turnstile.enter();
    if (!entered) {
      const busy = errorFrame('ERROR', '53300', 'the embedded database is busy: another transaction is open');
      this.push(Buffer.concat([busy, readyFrame()]));
      return false;
    }
    // The session may have ended while it waited.
    if (this.#over) {
      this.host.turnstile.leave();
      return false;
    }
    this.#holdsBackend = true;
    return true;
  }

  #freeBackend(): void {
    if (!this.#holdsBackend) return;
    this.#holdsBackend = false;
    this.host.turnstile.leave();
  }

  /**
   * The backend listens once for all sessions, so it never stops: a channel without a listener costs
   * nothing, as its notifications end at the server.
   */
  #framesFor(batch: ClientBatch, statement: Statement): Buffer {
    if (statement.kind === 'refused') return queryFrame(failingStatement(statement.because));
    if (statement.kind !== 'unlisten' && statement.kind !== 'unlisten-all') return batch.frames;
    return queryFrame(
      batch.kind === 'simple' ? 'SELECT 1 WHERE false' : failingStatement('UNLISTEN takes no parameters'),
    );
  }

  #remember(statement: Statement): void {
    if (statement.kind === 'listen') this.#channels.add(statement.channel);
    if (statement.kind === 'unlisten') this.#channels.delete(statement.channel);
    if (statement.kind === 'unlisten-all') this.#channels.clear();
  }

  /** The client is done: what it left open is rolled back. */
  #leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.host.left(this);
    this.#work = this.#work.then(async () => {
      if (this.#holdsBackend) {
        await this.host.exec(queryFrame('ROLLBACK')).catch(() => undefined);
        this.#freeBackend();
      }
      this.push(null);
      this.destroy();
    });
  }
}
