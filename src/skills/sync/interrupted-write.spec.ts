import { describe, expect, it } from '@jest/globals';
import { type DigestedFile } from '../format/content-digest.js';
import { judgeInterruptedWrite } from './interrupted-write.js';

const file = (path: string, sha256: string, mode: DigestedFile['mode'] = '0644'): DigestedFile => ({
  path,
  sha256,
  mode,
  size: 1,
});
const from = [file('SKILL.md', 'a1'), file('gone.md', 'a2'), file('same.md', 's')];
const to = [file('SKILL.md', 'b1'), file('new.md', 'b3'), file('same.md', 's')];

describe('a write that was interrupted', () => {
  it.each<[string, DigestedFile[], DigestedFile[] | null, DigestedFile[] | null]>([
    ['not begun', from, from, to],
    ['half done', [file('SKILL.md', 'a1'), file('new.md', 'b3'), file('gone.md', 'a2')], from, to],
    ['done', to, from, to],
    ['of a new folder, half done', [file('new.md', 'b3')], null, to],
    ['of a new folder, not begun', [], null, to],
    ['a removal, half done', [file('SKILL.md', 'a1')], from, null],
    ['a removal, done', [], from, null],
  ])('goes on when it is %s', (_, found, before, after) => {
    expect(judgeInterruptedWrite(found, before, after)).toMatchObject({
      kind: 'finish',
      because: expect.any(String),
    });
  });

  it.each<[string, DigestedFile[], DigestedFile[] | null, DigestedFile[] | null, string[]]>([
    ['a file was edited', [file('SKILL.md', 'x'), file('same.md', 's')], from, to, ['SKILL.md']],
    ['a file was added', [...from, file('mine.md', 'x')], from, to, ['mine.md']],
    ['a file was made executable', [file('same.md', 's', '0755')], from, to, ['same.md']],
    ['known bytes lie elsewhere', [file('new.md', 'a1')], from, to, ['new.md']],
    ['a file lies where nothing was', [file('SKILL.md', 'x')], null, to, ['SKILL.md']],
    ['a file was edited before its removal', [file('gone.md', 'x')], from, null, ['gone.md']],
    ['nothing was and nothing shall be', [file('SKILL.md', 'x')], null, null, ['SKILL.md']],
  ])('keeps what it finds first when %s', (_, found, before, after, paths) => {
    expect(judgeInterruptedWrite(found, before, after)).toMatchObject({
      kind: 'keep_first',
      finding: 'sync_interrupted_write',
      paths,
      because: expect.any(String),
    });
  });
});
