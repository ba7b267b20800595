import { describe, expect, it } from '@jest/globals';
import { endsInWord, foldName, isSpelled, wordsOf } from './words.js';

describe('wordsOf', () => {
  it.each([
    ['Ahoy, Sailor!', ['ahoy', 'sailor']],
    ['a b c mast 7', ['mast']],
    ['rope2line BM25', ['rope2line', 'bm25']],
    ['custom/knots_and-bends', ['custom', 'knots', 'and', 'bends']],
    ['Größe ＰＤＦ résumé', ['große', 'pdf', 'resume']],
    ['C++ or C#, not C or D++x', ['c++', 'or', 'c#', 'not', 'or']],
    ['йод и ёлка', ['йод', 'и', 'ёлка']],
    ['sig\u200bnal', ['signal']],
    ['', []],
    [' -- % () ', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text, 'query')).toEqual(words);
  });

  it('are pairs of characters where a script has no blanks', () => {
    expect(wordsOf('港口天气', 'query')).toEqual(['港口', '口天', '天气']);
    expect(wordsOf('天気', 'query')).toEqual(['天気']);
    expect(wordsOf('날씨를', 'query')).toEqual(['날씨', '씨를']);
    expect(wordsOf('ท่า', 'query').length).toBeGreaterThan(0);
  });

  it('are single characters too in a document, and in a query only when they stand alone', () => {
    expect(wordsOf('天气', 'document')).toEqual(['天', '气', '天气']);
    expect(wordsOf('气', 'query')).toEqual(['气']);
  });

  it('part where one script ends and another begins', () => {
    expect(wordsOf('把PDF合并', 'query')).toEqual(['把', 'pdf', '合并']);
  });

  it('keep a word of bounded length however long it is', () => {
    expect(wordsOf('x'.repeat(5000), 'query').map(({ length }) => length)).toEqual([64]);
  });
});

describe('foldName', () => {
  it('makes the spellings of a name equal', () => {
    const spellings = ['Night Watch', 'night-watch', 'night_watch', ' NIGHT  watch ', 'night/watch'];
    expect(new Set(spellings.map(foldName))).toEqual(new Set(['night watch']));
  });
});

describe('a query that is still being typed', () => {
  it('ends in a word; in letters that can be completed or not', () => {
    expect(['moor', 'moor ', 'moor,', ''].map(endsInWord)).toEqual([true, false, false, false]);
    expect(['moor', 'мост', '港口'].map(isSpelled)).toEqual([true, true, false]);
  });
});
