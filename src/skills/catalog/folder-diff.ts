import { createTwoFilesPatch } from 'diff';
import { type SkillFile } from '../discovery/skill-entry.js';

/** What became of one file between two versions. */
export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'mode';
  readonly before: SkillFile | null;
  readonly after: SkillFile | null;
}

// A diff is for reading; beyond this it would take longer to make than anybody reads it.
const MAX_EDITS = 20_000;
const MAX_TEXT_BYTES = 1_048_576;

/** Every file that differs, by path bytes. */
export function folderChanges(before: readonly SkillFile[], after: readonly SkillFile[]): FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return paths.flatMap((path) => {
    const [from, to] = [old.get(path) ?? null, now.get(path) ?? null];
    const kind = kindOf(from, to);
    return kind === null ? [] : [{ path, kind, before: from, after: to }];
  });
}

/** Whether a change can be shown as text, or why not. */
export function isReadable({ before, after }: FileChange): { kind: 'yes' } | { kind: 'no'; because: string } {
  const files = [before, after].filter((file) => file !== null);
  if (files.some(({ kind }) => kind === 'binary')) return { kind: 'no', because: 'the file is binary' };
  const tooLarge = files.some(({ size }) => size > MAX_TEXT_BYTES);
  return tooLarge ? { kind: 'no', because: `the file is over ${MAX_TEXT_BYTES} bytes` } : { kind: 'yes' };
}

/**
 * A unified diff of one file.
 *
 * @returns null when the texts differ in so much that a diff says nothing
 * @example unifiedDiff('a.md', 'x\n', 'y\n') // '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-x\n+y\n'
 */
export function unifiedDiff(path: string, before: string | null, after: string | null): string | null {
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3, maxEditLength: MAX_EDITS },
  );
  return patch === undefined ? null : patch.replace(/^=+\n/, '');
}

function kindOf(from: SkillFile | null, to: SkillFile | null): FileChange['kind'] | null {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  if (from.sha256 !== to.sha256) return 'changed';
  return from.mode === to.mode ? null : 'mode';
}
