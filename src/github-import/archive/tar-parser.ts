import { type ArchiveRefusal, refuseArchive } from './archive-limits.js';
import { BLOCK, readPax, readTarHeader, readText, type TarHeader } from './tar-header.js';

/** What the caller does with an entry before its bytes are there. */
export type EntryChoice = 'take' | 'skip' | ArchiveRefusal;

export interface TarSink {
  /** Files, folders, links and everything else, in the order of the archive. */
  choose(header: TarHeader): EntryChoice;
  /** A taken entry, whole. */
  take(header: TarHeader, bytes: Buffer): void;
}

/** Larger than any name; such a header is kept in memory before anybody judged it. */
const MAX_META_BYTES = 65_536;

interface OpenEntry {
  readonly header: TarHeader;
  /** Pieces of its bytes; null when nobody wants them. */
  readonly kept: Buffer[] | null;
  left: number;
  padding: number;
}

/** Reads a tar file piece by piece; holds no more than one entry that the sink took. */
export class TarParser {
  #rest: Buffer = Buffer.alloc(0);
  #current: OpenEntry | null = null;
  #next: { name?: string; size?: number } = {};
  #ended = false;
  #failure: ArchiveRefusal | null = null;

  constructor(private readonly sink: TarSink) {}

  /** Whether the block that ends an archive has come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Null, or why the archive is refused; after that the parser must not be used again. */
  push(chunk: Buffer): ArchiveRefusal | null {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length > 0) {
      if (this.#current !== null) {
        bytes = this.#consume(this.#current, bytes);
        continue;
      }
      if (bytes.length < BLOCK) break;
      const refusal = this.#begin(bytes.subarray(0, BLOCK));
      if (refusal !== null) return refusal;
      bytes = bytes.subarray(BLOCK);
      const done = this.#finishIfComplete();
      if (done !== null) return done;
    }
    // A copy, so that a few bytes do not keep a whole chunk alive.
    this.#rest = Buffer.from(bytes);
    return this.#failure;
  }

  /** Null when the archive was whole. */
  end(): ArchiveRefusal | null {
    const isWhole = this.#ended && this.#rest.every((byte) => byte === 0);
    return isWhole ? null : refuseArchive('archive_invalid', 'it is cut, or bytes follow its end');
  }

  #begin(block: Buffer): ArchiveRefusal | null {
    const header = readTarHeader(block);
    if (header === null) {
      this.#ended = true;
      return null;
    }
    if (this.#ended) return refuseArchive('archive_invalid', 'bytes follow its end');
    if (typeof header === 'string') return refuseArchive('archive_invalid', header);
    if (isMeta(header)) {
      if (header.size > MAX_META_BYTES) return refuseArchive('archive_invalid', 'a name in it is too long');
      return this.#open(header, true);
    }
    const { name = header.name, size = header.size } = this.#next;
    this.#next = {};
    const whole = { ...header, name, size };
    const choice = this.sink.choose(whole);
    return typeof choice === 'object' ? choice : this.#open(whole, choice === 'take');
  }

  #open(header: TarHeader, keep: boolean): null {
    const { size } = header;
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    this.#current = { header, kept: keep ? [] : null, left: size, padding };
    return null;
  }

  /** Takes what belongs to the current entry; gives what is left. */
  #consume(current: OpenEntry, bytes: Buffer): Buffer {
    const body = bytes.subarray(0, current.left);
    current.left -= body.length;
    if (body.length > 0) current.kept?.push(Buffer.from(body));
    const padding = Math.min(current.padding, bytes.length - body.length);
    if (current.left === 0) current.padding -= padding;
    const rest = bytes.subarray(body.length + (current.left === 0 ? padding : 0));
    this.#failure ??= this.#finishIfComplete();
    return this.#failure === null ? rest : Buffer.alloc(0);
  }

  #finishIfComplete(): ArchiveRefusal | null {
    const current = this.#current;
    if (current === null || current.left > 0 || current.padding > 0) return null;
    this.#current = null;
    const { header, kept } = current;
    if (kept === null) return null;
    const bytes = Buffer.concat(kept);
    if (!isMeta(header)) {
      this.sink.take(header, bytes);
      return null;
    }
    return this.#readMeta(header, bytes);
  }

  #readMeta(header: TarHeader, bytes: Buffer): ArchiveRefusal | null {
    if (header.type === 'L') {
      const name = readText(bytes);
      if (name === null) return refuseArchive('archive_path_unsafe', 'a name is not UTF-8');
      this.#next = { ...this.#next, name };
      return null;
    }
    // The target of a link; links are judged by their kind alone.
    if (header.type === 'K') return null;
    const pax = readPax(bytes);
    if (typeof pax === 'string') return refuseArchive('archive_invalid', pax);
    const { path, size } = pax;
    if (header.type === 'g') {
      const says = path !== undefined || size !== undefined;
      return says ? refuseArchive('archive_unsupported', 'one header names all its entries') : null;
    }
    this.#next = {
      ...this.#next,
      ...(path !== undefined && { name: path }),
      ...(size !== undefined && { size }),
    };
    return null;
  }
}

function isMeta({ type }: TarHeader): boolean {
  return type === 'x' || type === 'g' || type === 'L' || type === 'K';
}
