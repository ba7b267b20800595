import { createHash } from 'node:crypto';

/** What the digest covers of one file. */
export interface DigestedFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  readonly mode: '0644' | '0755';
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the content. */
  readonly sha256: string;
}

/**
 * The identity of a folder's content: SHA-256 over its files, sorted by the bytes of their paths. Each part is
 * preceded by its length, so no two folders share an encoding. Independent of locale, times and order of reading.
 *
 * @returns `sha256:` and 64 hex digits.
 * @example contentDigest([{ path: 'SKILL.md', mode: '0644', size: 3, sha256: '…' }]) // 'sha256:…'
 */
export function contentDigest(files: Iterable<DigestedFile>): string {
  const entries = Array.from(files, (file) => ({ file, path: Buffer.from(file.path) }));
  entries.sort((left, right) => Buffer.compare(left.path, right.path));
  const hash = createHash('sha256');
  for (const { file, path } of entries) {
    hash.update(`${path.length}:`);
    hash.update(path);
    hash.update(`,4:${file.mode},`);
    const size = String(file.size);
    hash.update(`${size.length}:${size},${file.sha256.length}:${file.sha256},`);
  }
  return `sha256:${hash.digest('hex')}`;
}
