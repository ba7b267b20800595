import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Analyzer, type AnalyzerRules, type SearchTexts } from './analyzer.js';
import { LexicalIndex } from './lexical-index.js';
import { LexicalRanker } from './lexical-ranker.js';
import { type GuessRules } from './query-terms.js';
import { wordsOf } from './words.js';

const ONLY_SLUG_AND_DESCRIPTION = { name: 0, slug: 1, tags: 0, description: 1, headings: 0 };
/** Plain BM25: no stems, no stop words, no guesses, every word counts once. */
const PLAIN = { weights: ONLY_SLUG_AND_DESCRIPTION, stem: false, dropStopWords: false };
const AS_WRITTEN = { k1: 1.2, b: 0.75, complete: false, correct: () => false };

function textsOf(slug: string, description: string): SearchTexts {
  return { name: '', slug, tags: '', description, headings: '' };
}

function setUp(
  docs: Readonly<Record<string, string>>,
  analysis: AnalyzerRules = PLAIN,
  guesses: Partial<GuessRules> = {},
) {
  const index = new LexicalIndex();
  const analyzer = new Analyzer(analysis);
  for (const [slug, text] of Object.entries(docs)) index.set(slug, analyzer.document(textsOf(slug, text)));
  const ranker = new LexicalRanker(index, analyzer, { ...AS_WRITTEN, ...guesses });
  const rank = (query: string, limit = 5, visible: string[] | null = null) => {
    const mask = new Uint8Array(index.capacity);
    for (const slug of visible ?? []) mask[index.docOf(slug)!] = 1;
    return ranker.rank({ query, limit, scope: visible && { mask, size: visible.length } });
  };
  const scores = (query: string) => rank(query).hits.map(({ id, score }) => [id, Number(score.toFixed(4))]);
  return { index, analyzer, rank, scores };
}

/** The formula as it is written down, over texts instead of postings. */
function naive(docs: Readonly<Record<string, string>>, query: string): [string, number][] {
  const texts = Object.entries(docs).map(([slug, text]): [string, string[]] => [
    slug,
    wordsOf(`${slug} ${text}`, 'document'),
  ]);
  const average = texts.reduce((sum, [, words]) => sum + words.length, 0) / texts.length;
  const scored = texts.map(([slug, words]): [string, number] => {
    let score = 0;
    for (const wanted of wordsOf(query, 'query')) {
      const frequency = words.filter((word) => word === wanted).length;
      const holders = texts.filter(([, others]) => others.includes(wanted)).length;
      const idf = Math.log((texts.length - holders + 0.5) / (holders + 0.5) + 1);
      const norm = frequency + 1.2 * (0.25 + (0.75 * words.length) / average);
      if (frequency > 0) score += (idf * frequency * 2.2) / norm;
    }
    return [slug, score];
  });
  return scored.filter(([, score]) => score > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const harbor = {
  'rope-kit': 'Splice rope ends and coil rope',
  'sail-loft': 'Mend torn sails',
  radio: 'Call the harbor',
};

describe('plain BM25', () => {
  it('gives the scores of the formula, a repeated word as often as it is repeated', () => {
    const { scores } = setUp(harbor);
    // 3 documents of 8, 5 and 4 words; rope: idf ln(2.5 / 1.5 + 1), three times in 8 words.
    const rope = (Math.log(2.5 / 1.5 + 1) * 3 * 2.2) / (3 + 1.2 * (0.25 + (0.75 * 8 * 3) / 17));
    expect(scores('rope')).toEqual([['rope-kit', Number(rope.toFixed(4))]]);
    expect(scores('rope rope')).toEqual([['rope-kit', Number((2 * rope).toFixed(4))]]);
    expect(scores('torn rope')).toHaveLength(2);
  });

  it.each(['', 'a b c', ' ? ', 'keel'])('finds nothing for %j', (query) => {
    expect(setUp(harbor).rank(query)).toEqual({ hits: [], total: 0 });
  });

  it('finds nothing in an empty index', () => {
    expect(setUp({}).rank('rope')).toEqual({ hits: [], total: 0 });
  });

  const word = fc.constantFrom('mast', 'keel', 'rope', 'sail', 'fog', 'tide', '潮汐');
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const documents = fc.dictionary(fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5', 'f6'), text);

  it('agrees with the formula after any additions, replacements and removals', () => {
    fc.assert(
      fc.property(documents, documents, fc.array(word, { maxLength: 5 }), (before, after, words) => {
        const { index, analyzer, rank } = setUp(before);
        for (const slug of Object.keys(before)) if (!Object.hasOwn(after, slug)) index.delete(slug);
        for (const [slug, description] of Object.entries(after)) {
          index.set(slug, analyzer.document(textsOf(slug, description)));
        }
        const query = words.join(' ');
        const expected = naive(after, query);
        const { hits, total } = rank(query, 3);
        expect(total).toBe(expected.length);
        hits.forEach((hit, at) => {
          expect(hit.score).toBeCloseTo(expected[at]![1], 6);
        });
        expect(hits).toHaveLength(Math.min(3, expected.length));
      }),
    );
  });

  it('orders equal scores by id, whenever they came in', () => {
    const { index, analyzer, rank } = setUp({ c: 'tide', a: 'tide', b: 'tide' });
    index.set('a', analyzer.document(textsOf('a', 'tide')));
    expect(rank('tide').hits.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(rank('tide', 2)).toMatchObject({ hits: [{ id: 'a' }, { id: 'b' }], total: 3 });
  });
});

describe('a scope', () => {
  it('is ranked as if nothing else existed', () => {
    const docs = { one: 'tide table', two: 'tide tide fog', three: 'fog horn' };
    const alone = setUp({ one: docs.one, three: docs.three });
    for (const query of ['tide', 'fog table', 'horn']) {
      expect(setUp(docs).rank(query, 5, ['one', 'three'])).toEqual(alone.rank(query));
    }
  });

  it('has no hint of words that only others hold', () => {
    const { rank } = setUp({ one: 'anchor', two: 'anhcor' }, PLAIN, { correct: () => true });
    expect(rank('anhcor', 5, ['one']).hits).toMatchObject([{ id: 'one', matches: [{ found: 'anchor' }] }]);
  });

  it('that is empty answers nothing', () => {
    expect(setUp(harbor).rank('rope', 5, [])).toEqual({ hits: [], total: 0 });
  });
});

describe('guesses', () => {
  const docs = { moor: 'mooring lines', map: 'charting depths', moon: 'lunar tables' };
  const stemmed = { ...PLAIN, stem: true };

  it('complete the last word only, and only while it is being typed', () => {
    const { rank } = setUp(docs, stemmed, { complete: true });
    expect(rank('chart').hits).toMatchObject([{ id: 'map', matches: [{ how: 'word' }] }]);
    expect(rank('lu').hits).toMatchObject([{ id: 'moon', matches: [{ found: 'lunar', how: 'beginning' }] }]);
    expect(rank('lu ').hits).toEqual([]);
    expect(rank('lu depths').hits.map(({ id }) => id)).toEqual(['map']);
  });

  it('rank the word itself above what it begins', () => {
    const { rank } = setUp({ x: 'doc', y: 'docker' }, PLAIN, { complete: true });
    expect(rank('doc').hits.map(({ id }) => id)).toEqual(['x', 'y']);
  });

  it('correct a word that nobody wrote, by one or two letters', () => {
    const { rank } = setUp(docs, stemmed, { correct: () => true });
    expect(rank('tabels').hits).toMatchObject([{ id: 'moon', matches: [{ word: 'tabels', how: 'typo' }] }]);
    expect(rank('chratign').hits.map(({ id }) => id)).toEqual(['map']);
    expect(rank('lins').hits.map(({ id }) => id)).toEqual(['moor']);
    expect(rank('xyzzy').hits).toEqual([]);
  });

  it('go when the words they rest on go', () => {
    const { index, rank } = setUp(docs, stemmed, { correct: () => true, complete: true });
    index.delete('moon');
    expect(rank('tabels').hits).toEqual([]);
    expect(rank('lun').hits).toEqual([]);
  });

  it('give a document the best of several words, not their sum', () => {
    const { rank } = setUp({ x: 'sailor sailing sailboat', y: 'other words here' }, PLAIN, {
      complete: true,
    });
    expect(rank('sail').hits[0]?.matches).toHaveLength(1);
  });
});

describe('coverage', () => {
  it('is the part of the query that was found, rare and unknown words weighing more', () => {
    const { rank } = setUp({ x: 'tide table', y: 'tide', z: 'fog' });
    expect(rank('tide table').hits.map(({ id, coverage }) => [id, coverage > 0.99])).toEqual([
      ['x', true],
      ['y', false],
    ]);
    expect(rank('tide keelhaul').hits[0]?.coverage).toBeLessThan(0.5);
  });
});
