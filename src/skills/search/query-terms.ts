import { type Analyzer } from './analyzer.js';
import { type LexicalIndex } from './lexical-index.js';
import { type PostingList } from './posting-list.js';
import { endsInWord, isSpelled } from './words.js';

/** How a word of the query led to a word of the index. */
export type MatchKind = 'word' | 'beginning' | 'typo';

/** One term of the index that stands for a word of the query. */
export interface Alternative {
  readonly how: MatchKind;
  /** Spelling in the index. */
  readonly word: string;
  readonly list: PostingList;
  /** Documents that hold it and may be ranked; at least one. */
  readonly holders: number;
  /** What of the score it gets: a guess counts less than the word itself. */
  readonly factor: number;
}

/** One word of the query. */
export interface QueryTerm {
  readonly word: string;
  /** How often it stands there. */
  readonly count: number;
  /** None where no document holds anything like it. */
  readonly alternatives: readonly Alternative[];
}

export interface GuessRules {
  /** Whether the last word may be the beginning of one. */
  readonly complete: boolean;
  /** Whether a word that no document holds may be another one, misspelled. */
  readonly correct: (word: string) => boolean;
}

/** More words than a query needs, fewer than an attack would want. */
const MOST_WORDS = 64;
const MOST_COMPLETIONS = 24;
const MOST_CORRECTIONS = 3;
/** Looking for near words costs more than all the rest. */
const MOST_CORRECTED_WORDS = 8;
const COMPLETION_FACTOR = 0.5;
const CORRECTION_FACTOR = 0.6;

/** Where terms are looked up. */
export interface TermSource {
  readonly index: LexicalIndex;
  readonly analyzer: Analyzer;
  /** How many documents with the term may be ranked. A term that only others hold is as good as unknown. */
  readonly holders: (list: PostingList) => number;
}

/** The words of a query with the terms of the index that they may mean. */
export function queryTerms(source: TermSource, query: string, rules: GuessRules): QueryTerm[] {
  const { analyzer } = source;
  const words = analyzer.query(query);
  const counts = new Map<string, { word: string; count: number }>();
  for (const word of words) {
    const term = analyzer.term(word);
    const known = counts.get(term);
    if (known) known.count += 1;
    else if (counts.size < MOST_WORDS) counts.set(term, { word, count: 1 });
  }
  const last = rules.complete && endsInWord(query) ? words.at(-1) : undefined;
  let corrections = MOST_CORRECTED_WORDS;
  return Array.from(counts, ([term, { word, count }]) => {
    const alternatives = alternative(source, 'word', { word, term }, 1);
    if (word === last && isSpelled(word)) alternatives.push(...completions(source, word, term));
    if (alternatives.length === 0 && corrections > 0 && isCorrectable(word) && rules.correct(word)) {
      corrections -= 1;
      alternatives.push(...correctionsOf(source, word));
    }
    return { word, count, alternatives };
  });
}

function alternative(
  { index, holders: holdersOf }: TermSource,
  how: MatchKind,
  { word, term }: { readonly word: string; readonly term: string },
  factor: number,
): Alternative[] {
  const list = index.postingsOf(term);
  const holders = list === undefined ? 0 : holdersOf(list);
  return list === undefined || holders === 0 ? [] : [{ how, word, list, holders, factor }];
}

function completions(source: TermSource, word: string, ownTerm: string): Alternative[] {
  const near = source.index.vocabulary.completions(word, MOST_COMPLETIONS);
  const others = near.filter(({ term }) => term !== ownTerm);
  return firstOfEachList(
    others.flatMap((candidate) =>
      alternative(source, 'beginning', candidate, COMPLETION_FACTOR * (word.length / candidate.word.length)),
    ),
  );
}

function correctionsOf(source: TermSource, word: string): Alternative[] {
  const edits = word.length < 8 ? 1 : 2;
  const near = source.index.vocabulary.corrections(word, edits, MOST_CORRECTIONS);
  return firstOfEachList(
    near.flatMap((candidate) =>
      alternative(source, 'typo', candidate, CORRECTION_FACTOR ** candidate.distance),
    ),
  );
}

/** Words of four to twenty letters: a shorter one is near to too many, a longer one is no word. */
function isCorrectable(word: string): boolean {
  return word.length >= 4 && word.length <= 20 && isSpelled(word) && !/\d/.test(word);
}

function firstOfEachList(alternatives: readonly Alternative[]): Alternative[] {
  const seen = new Set<PostingList>();
  return alternatives.filter(({ list }) => !seen.has(list) && seen.add(list));
}
