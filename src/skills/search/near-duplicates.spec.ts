import { describe, expect, it } from '@jest/globals';
import { type ComparedSkill, nearDuplicates } from './near-duplicates.js';

function compared(
  slug: string,
  words: string,
  vector: number[] | null = null,
): ComparedSkill<{ slug: string }> {
  const skill = { slug, name: slug, description: words, frontmatter: { tags: null } };
  return { skill, terms: new Set(words.match(/\S+/g) ?? []), vector: vector && Float32Array.from(vector) };
}

function slugs(
  draft: ComparedSkill<{ slug: string }>,
  ...others: ComparedSkill<{ slug: string }>[]
): string[] {
  return nearDuplicates(draft as never, others as never[], 0.8).map(({ skill }) => (skill as never)['slug']);
}

describe('nearDuplicates', () => {
  it('are descriptions with half of their words in common', () => {
    const draft = compared('draft', 'tie rope to mooring');
    expect(
      slugs(draft, compared('same', 'tie rope to pole'), compared('other', 'mend sails of rope')),
    ).toEqual(['same']);
  });

  it('are descriptions that mean the same in other words, nearest first', () => {
    const draft = compared('draft', 'tie rope', [1, 0]);
    expect(
      slugs(
        draft,
        compared('far', 'call pilot', [0, 1]),
        compared('near', 'knot cord', [0.85, 0.5]),
        compared('nearest', 'fasten line', [1, 0]),
        compared('unknown', 'moor boat'),
      ),
    ).toEqual(['nearest', 'near']);
  });

  it('are none for a description without words', () => {
    expect(slugs(compared('draft', ''), compared('other', ''))).toEqual([]);
  });
});
