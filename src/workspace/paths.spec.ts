import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { join, normalize } from 'node:path';
import { containsPath, splitRelativePath } from './paths.js';

describe('splitRelativePath', () => {
  it.each([
    ['SKILL.md', ['SKILL.md']],
    ['refs/part one.md', ['refs', 'part one.md']],
    ['odd#1/100%.md', ['odd#1', '100%.md']],
    ['notes/…/résumé [draft].md', ['notes', '…', 'résumé [draft].md']],
    ['.env', ['.env']],
    ['..hidden', ['..hidden']],
  ])('splits %j', (path, segments) => {
    expect(splitRelativePath(path)).toEqual({ kind: 'ok', segments });
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '/etc/passwd',
    '//host/x',
    'C:/x',
    'a\\b',
    'a\u0000b',
    'a\nb',
    'a\u2028b',
    'a\ud800b',
    'x'.repeat(256),
    `${'d/'.repeat(16)}x`,
    'ab/'.repeat(400),
  ])('refuses %j with a reason', (path) => {
    expect(splitRelativePath(path)).toMatchObject({ kind: 'unsafe', because: expect.any(String) });
  });

  it('never lets an accepted path leave its root', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', 'b.md', '%2e%2e', '...', '\\', '~');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = segments.join('/');
        if (splitRelativePath(path).kind === 'unsafe') return;
        expect(normalize(path)).toBe(path);
        expect(containsPath('/root/skill', join('/root/skill', path))).toBe(true);
      }),
    );
  });
});

describe('containsPath', () => {
  it('compares whole segments', () => {
    expect(containsPath('/a/pdf', '/a/pdf')).toBe(true);
    expect(containsPath('/a/pdf', '/a/pdf/SKILL.md')).toBe(true);
    expect(containsPath('/a/pdf', '/a/pdf-evil/SKILL.md')).toBe(false);
    expect(containsPath('/', '/etc')).toBe(true);
  });
});
