import { type FindingCode } from '../../kernel/finding-codes.js';
import { type DigestedFile } from '../format/content-digest.js';

/**
 * `keep_first`: before the write goes on, the found bytes become a version with this finding, below what the
 * catalogue has (its digest becomes one more version on top, a deleted row stays deleted; bytes that are the
 * catalogue's need no version), and `from` of the intent becomes their digest, all in one transaction. A second
 * interruption then keeps nothing twice, and the write does not stop at these files again.
 */
export type InterruptedWrite = { readonly because: string } & (
  | { readonly kind: 'finish' }
  | { readonly kind: 'keep_first'; readonly finding: FindingCode; readonly paths: readonly string[] }
);

/**
 * May a write be begun or gone on with? Yes where every file is one that the write replaces or one that it writes.
 *
 * @param found What lies there now; empty when there is no folder.
 * @param from What lay there when the intent was opened; null: nothing.
 * @param to What the write makes; null: it removes the folder.
 */
export function judgeInterruptedWrite(
  found: readonly DigestedFile[],
  from: readonly DigestedFile[] | null,
  to: readonly DigestedFile[] | null,
): InterruptedWrite {
  const before = byPath(from);
  const after = byPath(to);
  const paths = found
    .filter((file) => !isSame(file, before.get(file.path)) && !isSame(file, after.get(file.path)))
    .map(({ path }) => path);
  return paths.length === 0
    ? { kind: 'finish', because: 'every file is as it was before the write or as the write makes it' }
    : {
        kind: 'keep_first',
        finding: 'sync_interrupted_write',
        paths,
        because: `somebody else wrote ${paths.length === 1 ? 'a file' : `${paths.length} files`} meanwhile`,
      };
}

function byPath(files: readonly DigestedFile[] | null): ReadonlyMap<string, DigestedFile> {
  return new Map(files?.map((file) => [file.path, file]));
}

function isSame(file: DigestedFile, other: DigestedFile | undefined): boolean {
  return file.sha256 === other?.sha256 && file.mode === other.mode;
}
