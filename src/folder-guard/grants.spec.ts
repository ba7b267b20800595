import { describe, expect, it } from '@jest/globals';
import { buildSkillFolderGuardPaths } from './grants.js';

describe('buildSkillFolderGuardPaths', () => {
  it('grants each folder with and without its slash, in order, and nothing to write', () => {
    expect(buildSkillFolderGuardPaths(['tide-tables', 'custom/log-book'])).toEqual({
      readPaths: [
        'skills/tide-tables/',
        'skills/tide-tables',
        'skills/custom/log-book/',
        'skills/custom/log-book',
      ],
      writePaths: [],
      refused: [],
    });
  });

  it('grants nothing for nothing', () => {
    expect(buildSkillFolderGuardPaths([])).toEqual({ readPaths: [], writePaths: [], refused: [] });
  });

  it('names a folder once when it is given twice', () => {
    expect(buildSkillFolderGuardPaths(['knots', 'knots']).readPaths).toEqual([
      'skills/knots/',
      'skills/knots',
    ]);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    '../knots',
    'a/../../b',
    '/etc',
    'a\\b',
    'a\0b',
    'custom',
    'a//b',
    'knots/',
    '*',
    'a?',
  ])('grants nothing for the unsafe name %j and says why', (slug) => {
    const grants = buildSkillFolderGuardPaths(['sails', slug]);
    expect(grants.readPaths).toEqual(['skills/sails/', 'skills/sails']);
    expect(grants.refused).toEqual([{ slug, because: expect.any(String) }]);
  });

  it('does not let one name stand for its prefix twin', () => {
    const { readPaths } = buildSkillFolderGuardPaths(['rig']);
    expect(readPaths).not.toContain('skills/rigging');
    expect(readPaths.every((path) => /^skills\/rig\/?$/.test(path))).toBe(true);
  });
});
