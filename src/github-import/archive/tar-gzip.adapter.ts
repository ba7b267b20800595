import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ArchiveLimits, type ArchiveMember, refuseArchive } from './archive-limits.js';
import { MemberPaths } from './member-paths.js';
import { archiveError, type OpenedArchive } from './opened-archive.js';
import { BLOCK, type TarHeader } from './tar-header.js';
import { type EntryChoice, TarParser, type TarSink } from './tar-parser.js';

/**
 * Opens a tar.gz in memory, under the rules of the zip gate. It is unpacked as it is read, so limits hold at every
 * step and nothing is kept beyond them.
 *
 * @throws SkillwrightError `archive_*`
 */
export async function openTarGzip(bytes: Buffer, limits: ArchiveLimits): Promise<OpenedArchive> {
  const collected = new CollectedMembers(limits);
  await unpackTarGzip(Readable.from([bytes]), collected, {
    // Headers, padding and names of as many entries as may be.
    maxBytes: limits.totalBytes + limits.entries * 4 * BLOCK + 20 * BLOCK,
  });
  return collected;
}

export interface UnpackLimits {
  /** Of the unpacked stream. */
  readonly maxBytes: number;
  /** Asked after each piece: true ends the reading, and what follows is not looked at. */
  readonly enough?: () => boolean;
}

/** @throws SkillwrightError `archive_*` */
export async function unpackTarGzip(
  packed: Readable,
  sink: TarSink,
  { maxBytes, enough = () => false }: UnpackLimits,
): Promise<void> {
  const gunzip = createGunzip();
  const parser = new TarParser(sink);
  packed.once('error', (error) => gunzip.destroy(error));
  let total = 0;
  try {
    for await (const chunk of packed.pipe(gunzip)) {
      total += (chunk as Buffer).length;
      if (total > maxBytes) {
        throw archiveError(refuseArchive('archive_too_large', `it unpacks to more than ${maxBytes} bytes`));
      }
      const refusal = parser.push(chunk as Buffer);
      if (refusal !== null) throw archiveError(refusal);
      if (enough()) return;
    }
  } catch (error) {
    throw isZlibError(error)
      ? archiveError(refuseArchive('archive_invalid', 'it is no gzip stream, or damaged'))
      : error;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
  const refusal = parser.end();
  if (refusal !== null) throw archiveError(refusal);
}

function isZlibError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('Z_');
}

class CollectedMembers implements TarSink, OpenedArchive {
  readonly members: ArchiveMember[] = [];
  readonly #bytes = new Map<string, Buffer>();
  readonly #paths = new MemberPaths();
  #entries = 0;
  #total = 0;

  constructor(private readonly limits: ArchiveLimits) {}

  choose({ name, type, size }: TarHeader): EntryChoice {
    this.#entries += 1;
    const { entries, fileBytes, totalBytes } = this.limits;
    if (this.#entries > entries) {
      return refuseArchive(
        'archive_too_many_entries',
        `it has more than the ${entries} entries that are allowed`,
      );
    }
    if (type !== '0' && type !== '5') {
      return refuseArchive('archive_entry_type', 'it is a link or a special file', name);
    }
    const relative = name.replace(/^(\.\/)+/, '');
    if (type === '5' && (relative === '' || relative === '.')) return 'skip';
    const path = this.#paths.add(relative, type === '5');
    if (path.kind === 'refused') return path;
    if (size > fileBytes) {
      return refuseArchive('archive_too_large', `it has ${size} bytes; a file may have ${fileBytes}`, name);
    }
    this.#total += size;
    if (this.#total > totalBytes) {
      return refuseArchive('archive_too_large', `it unpacks to more than ${totalBytes} bytes`);
    }
    return type === '0' ? 'take' : 'skip';
  }

  take({ name, mode }: TarHeader, bytes: Buffer): void {
    const path = name.replace(/^(\.\/)+/, '').replaceAll('\\', '/');
    this.#bytes.set(path, bytes);
    this.members.push({ path, size: bytes.length, mode: (mode & 0o111) === 0 ? '0644' : '0755' });
  }

  read(path: string): Buffer {
    const bytes = this.#bytes.get(path);
    if (bytes === undefined) throw new TypeError(`the archive has no member ${path}`);
    return bytes;
  }
}
