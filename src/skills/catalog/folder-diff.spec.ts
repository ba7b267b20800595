import { describe, expect, it } from '@jest/globals';
import { type SkillFile } from '../discovery/skill-entry.js';
import { folderChanges, isReadable, unifiedDiff } from './folder-diff.js';

const file = (path: string, sha256: string, facts: Partial<SkillFile> = {}): SkillFile => ({
  path,
  size: 2,
  mode: '0644',
  sha256,
  kind: 'text',
  ...facts,
});

describe('a diff of two versions', () => {
  it('names every file that was added, removed, changed or made executable, and no other', () => {
    const before = [file('SKILL.md', 'a'), file('b.md', 'b'), file('run.sh', 'r'), file('same.md', 's')];
    const after = [
      file('SKILL.md', 'A'),
      file('c.md', 'c'),
      file('run.sh', 'r', { mode: '0755' }),
      file('same.md', 's'),
    ];
    expect(folderChanges(before, after).map(({ path, kind }) => [path, kind])).toEqual([
      ['SKILL.md', 'changed'],
      ['b.md', 'removed'],
      ['c.md', 'added'],
      ['run.sh', 'mode'],
    ]);
    expect(folderChanges(before, before)).toEqual([]);
  });

  it('shows text line by line and says why a file cannot be shown', () => {
    expect(unifiedDiff('a.md', 'one\ntwo\n', 'one\n2\n')).toBe(
      '--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    );
    expect(unifiedDiff('a.md', null, 'new\n')).toBe('--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,1 @@\n+new\n');
    const [binary] = folderChanges([], [file('x.png', 'x', { kind: 'binary' })]);
    expect(binary && isReadable(binary)).toMatchObject({ kind: 'no', because: 'the file is binary' });
  });

  it('gives up on texts without a line in common that are very long', () => {
    const lines = (word: string): string =>
      Array.from({ length: 12_000 }, (_, n) => `${word}${n}\n`).join('');
    expect(unifiedDiff('a.md', lines('a'), lines('b'))).toBeNull();
  });
});
