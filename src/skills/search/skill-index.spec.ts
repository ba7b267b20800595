import { describe, expect, it } from '@jest/globals';
import { skillEntry } from '../../../test/support/skill-entries.js';
import { resolveOptions } from '../../config/resolve-options.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { rulesOf, SkillIndex } from './skill-index.js';

function indexOf(...entries: readonly SkillEntry[]): SkillIndex {
  const index = new SkillIndex(rulesOf(resolveOptions().search));
  for (const entry of entries) index.set(entry);
  return index;
}

function slugs(index: SkillIndex, query: string, scope: readonly SkillEntry[] | null = null): string[] {
  return index.search({ query, limit: 10, scope }).found.map(({ entry }) => entry.slug);
}

const knots = skillEntry({ slug: 'knots', description: 'Ties ropes to a mooring.' });
const radio = skillEntry({ slug: 'custom/radio', name: 'VHF radio', description: 'Calls the harbor.' });

describe('an index of skills', () => {
  it('ranks a word in the name above one in the description', () => {
    const ropes = skillEntry({ slug: 'ropes', description: 'Whips ends.' });
    expect(slugs(indexOf(knots, radio, ropes), 'rope')).toEqual(['ropes', 'knots']);
  });

  it('finds tags and headings', () => {
    const index = indexOf(knots, skillEntry({ slug: 'log', frontmatter: { tags: ['paperwork'] } }));
    expect(slugs(index, 'paperwork')).toEqual(['log']);
    index.set(knots, ['Bowline', 'Sheet bend']);
    expect(slugs(index, 'bowline')).toEqual(['knots']);
  });

  it.each(['night-watch', 'Night Watch', 'night_watch', ' night watch '])(
    'puts the skill that is named first, asked for as %j',
    (query) => {
      const watch = skillEntry({ slug: 'night-watch', description: 'Keeps awake.' });
      const talk = 'Night watch. Night watch, night watch and night watch at night.';
      const stuffed = skillEntry({ slug: 'night-watch-stories', description: talk });
      const { found } = indexOf(stuffed, watch).search({ query, limit: 10, scope: null });
      expect(found.map(({ entry, named }) => [entry.slug, named])).toEqual([
        ['night-watch', true],
        ['night-watch-stories', false],
      ]);
      expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
    },
  );

  it('finds a skill by the last part of its slug, and by a name that has no words', () => {
    expect(slugs(indexOf(knots, radio), 'custom/radio')[0]).toBe('custom/radio');
    expect(slugs(indexOf(knots, skillEntry({ slug: 'custom/r' })), 'R')).toEqual(['custom/r']);
  });

  it.each(['', '   ', 'the of and', "' OR 1=1 --", 'a & | ! ( )', '%', 'x'.repeat(9000), '\ud800', '- -'])(
    'has a plain answer to %j',
    (query) => {
      expect(slugs(indexOf(knots, radio), query)).toEqual([]);
    },
  );

  it('finds what is written without blanks', () => {
    const weekly = skillEntry({ slug: 'weekly', description: '汇总港口每周潮汐。' });
    const log = skillEntry({ slug: 'log', description: '航海日誌を要約します。' });
    const index = indexOf(weekly, log, knots);
    expect(slugs(index, '潮汐')).toEqual(['weekly']);
    expect(slugs(index, '请写一份每周潮汐报告')).toEqual(['weekly']);
    expect(slugs(index, '要約')).toEqual(['log']);
    expect(slugs(index, '汐')).toEqual(['weekly']);
  });

  it('ranks a scope alone, and passes over entries that it does not hold', () => {
    const index = indexOf(knots, radio);
    expect(slugs(index, 'harbor ropes', [radio])).toEqual(['custom/radio']);
    expect(slugs(index, 'knots', [radio])).toEqual([]);
    expect(slugs(index, 'knots', [skillEntry({ slug: 'knots' })])).toEqual([]);
  });

  it('forgets what was replaced or removed', () => {
    const index = indexOf(knots, radio);
    index.set(skillEntry({ slug: 'knots', name: 'Hitches', description: 'Bends lines.' }));
    expect(slugs(index, 'ropes')).toEqual([]);
    expect(slugs(index, 'hitches')).toEqual(['knots']);
    index.delete('knots');
    expect(slugs(index, 'hitches')).toEqual([]);
    expect(index.size).toBe(1);
  });
});
