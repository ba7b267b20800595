import { describe, expect, it } from '@jest/globals';
import { isPartOfSkill, isSearched, skillFileAmong } from './not-part.js';
import { projectedFolders } from './projection-manifest.js';

describe('isPartOfSkill', () => {
  it.each([
    '.git',
    'node_modules',
    'venv',
    'x.pyc',
    '.DS_Store',
    '._a',
    'a.swp',
    'a~',
    '#a#',
    'a.tmp.1',
    '.skw-0f',
  ])('leaves out %s', (name) => {
    expect(isPartOfSkill(name)).toBe(false);
  });

  it.each(['SKILL.md', '.env', 'scripts', '_shared', 'odd#1', '.gitignore', 'tmp.txt'])(
    'keeps %s',
    (name) => {
      expect(isPartOfSkill(name)).toBe(true);
    },
  );
});

describe('isSearched', () => {
  it('skips folders that can be no part of a slug', () => {
    expect(['.hidden', '_shared', 'node_modules', 'custom', 'pdf'].filter(isSearched)).toEqual([
      'custom',
      'pdf',
    ]);
  });
});

describe('skillFileAmong', () => {
  it('prefers the exact name over its case twins', () => {
    expect(skillFileAmong(['SKILL.MD', 'SKILL.md', 'skill.md'])).toBe('SKILL.md');
    expect(skillFileAmong(['README.md', 'skill.md'])).toBe('skill.md');
    expect(skillFileAmong(['README.md'])).toBeNull();
  });
});

describe('projectedFolders', () => {
  it('reads the names from a manifest and nothing from anything else', () => {
    expect([...projectedFolders('{"skills":{"pdf":{},"docx":{}}}')]).toEqual(['pdf', 'docx']);
    for (const text of ['', '[]', '{"skills":[]}', '{']) expect(projectedFolders(text).size).toBe(0);
  });
});
