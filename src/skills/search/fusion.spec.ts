import { describe, expect, it } from '@jest/globals';
import { fuse } from './fusion.js';
import { type LexicalHit, type TermMatch } from './lexical-ranker.js';

const WORD: TermMatch = { word: 'rope', found: 'rope', how: 'word', score: 1 };

function byWords(id: string, score: number, coverage: number, matches = [WORD]): LexicalHit {
  return { id, score, coverage, matches };
}

function fused(
  lexical: readonly LexicalHit[],
  cosines: Readonly<Record<string, number>>,
  least = 0.5,
): string[] {
  const near = Object.entries(cosines)
    .filter(([, cosine]) => cosine >= least)
    .map(([id, cosine]) => ({ id, cosine }))
    .sort((a, b) => b.cosine - a.cosine);
  return fuse({ lexical, near, cosineOf: (id) => cosines[id] ?? null }).map(({ id }) => id);
}

describe('fuse', () => {
  it('keeps the order of words where they were all found', () => {
    const lexical = [byWords('a', 9, 1), byWords('b', 5, 0.7)];
    expect(fused(lexical, { a: 0.1, b: 0.7, c: 0.9 })).toEqual(['a', 'b', 'c']);
  });

  it('leaves the best by words, all found, among the first three whatever is nearer', () => {
    const lexical = [byWords('a', 9, 1), ...['b', 'c', 'd', 'e'].map((id) => byWords(id, 8.9, 1))];
    const order = fused(lexical, { a: -0.9, b: 0.9, c: 0.9, d: 0.9, e: 0.9 });
    expect(order.indexOf('a')).toBe(2);
    expect(order).toHaveLength(5);
  });

  it('goes by nearness where few words were found', () => {
    const lexical = [byWords('a', 9, 0.2)];
    expect(fused(lexical, { a: 0.36, b: 0.9 })).toEqual(['b', 'a']);
    expect(fused([], { b: 0.6, c: 0.7 })).toEqual(['c', 'b']);
  });

  it('drops what holds few of the words and is about something else, unless a word was misspelled', () => {
    expect(fused([byWords('a', 9, 0.3)], { a: 0.1 })).toEqual([]);
    expect(fused([byWords('a', 9, 0.3, [{ ...WORD, how: 'typo' }])], { a: 0.1 })).toEqual(['a']);
    expect(fused([byWords('a', 9, 0.6)], { a: 0.1 })).toEqual(['a']);
  });

  it('keeps what has no vector', () => {
    expect(fused([byWords('a', 9, 0.3)], { b: 0.6 })).toEqual(['b', 'a']);
    expect(fused([byWords('a', 9, 0.3)], {})).toEqual(['a']);
  });
});
