import { type Analyzer } from './analyzer.js';
import { type LexicalIndex } from './lexical-index.js';
import { type PostingList } from './posting-list.js';
import {
  type Alternative,
  type GuessRules,
  type MatchKind,
  queryTerms,
  type QueryTerm,
} from './query-terms.js';

/** BM25 in the variant of Lucene: an inverse document frequency that is never negative. */
export interface Bm25Rules {
  /** How soon further repetitions of a word stop to count. */
  readonly k1: number;
  /** How much a long document is held against it, 0 to 1. */
  readonly b: number;
}

/** Which documents may be ranked. */
export interface RankScope {
  /** 1 for each document that may be seen. */
  readonly mask: Uint8Array;
  readonly size: number;
}

export interface RankRequest {
  readonly query: string;
  readonly limit: number;
  /** Null: every document. */
  readonly scope: RankScope | null;
}

/** What one word of the query adds to a score. */
export interface TermMatch {
  readonly word: string;
  /** The word of the index that was taken for it. */
  readonly found: string;
  readonly how: MatchKind;
  readonly score: number;
}

export interface LexicalHit {
  readonly id: string;
  readonly score: number;
  /** How much of what the query says was found, 0 to 1: rare words weigh more. */
  readonly coverage: number;
  readonly matches: readonly TermMatch[];
}

export interface LexicalRanking {
  /** Best first; equal scores by id. */
  readonly hits: readonly LexicalHit[];
  /** Documents that hold at least one of the words. */
  readonly total: number;
}

interface WeighedTerm {
  readonly word: string;
  readonly alternatives: readonly (Alternative & { readonly weight: number })[];
  /** What finding it adds to the coverage of a document. */
  readonly mass: number;
}

/** Ranks the documents of an index. What a document outside the scope says has no part in any score. */
export class LexicalRanker {
  private scores = new Float64Array(0);
  private best = new Float64Array(0);
  private averageLength = 0;

  constructor(
    private readonly index: LexicalIndex,
    private readonly analyzer: Analyzer,
    private readonly rules: Bm25Rules & GuessRules,
  ) {}

  rank({ query, limit, scope }: RankRequest): LexicalRanking {
    if (this.scores.length < this.index.capacity) {
      this.scores = new Float64Array(this.index.capacity * 2);
      this.best = new Float64Array(this.index.capacity * 2);
    }
    const size = scope?.size ?? this.index.size;
    if (size === 0) return { hits: [], total: 0 };
    this.averageLength = this.lengthIn(scope) / size;
    const holders = (list: PostingList): number => holdersIn(list, scope);
    const source = { index: this.index, analyzer: this.analyzer, holders };
    const terms = queryTerms(source, query, this.rules).map((term) => weigh(term, size));
    const touched: number[] = [];
    for (const term of terms) this.accumulate(term, scope?.mask ?? null, touched);
    const top = this.top(touched, limit);
    const mass = terms.reduce((sum, term) => sum + term.mass, 0);
    const hits = top.map((doc) => this.hit(doc, terms, mass));
    for (const doc of touched) this.scores[doc] = 0;
    return { hits, total: touched.length };
  }

  private lengthIn(scope: RankScope | null): number {
    if (scope === null) return this.index.totalLength;
    let length = 0;
    for (let doc = 0; doc < scope.mask.length; doc += 1) {
      if (scope.mask[doc] === 1) length += this.index.lengths[doc] ?? 0;
    }
    return length;
  }

  private accumulate({ alternatives }: WeighedTerm, mask: Uint8Array | null, touched: number[]): void {
    const [only] = alternatives;
    if (only === undefined) return;
    if (alternatives.length === 1) {
      this.addTo(this.scores, only, mask, touched, false);
      return;
    }
    // Several words may be meant by one of the query: a document gets the best of them, not their sum.
    const matched: number[] = [];
    for (const alternative of alternatives) this.addTo(this.best, alternative, mask, matched, true);
    for (const doc of matched) {
      if (this.scores[doc] === 0) touched.push(doc);
      this.scores[doc] = (this.scores[doc] ?? 0) + (this.best[doc] ?? 0);
      this.best[doc] = 0;
    }
  }

  private addTo(
    into: Float64Array,
    { list, weight }: WeighedTerm['alternatives'][number],
    mask: Uint8Array | null,
    touched: number[],
    keepBest: boolean,
  ): void {
    const { docs, weights, size } = list;
    for (let at = 0; at < size; at += 1) {
      const doc = docs[at] ?? 0;
      if (mask !== null && mask[doc] !== 1) continue;
      const before = into[doc] ?? 0;
      const score = weight * this.saturated(weights[at] ?? 0, doc);
      if (before === 0) touched.push(doc);
      into[doc] = keepBest ? Math.max(before, score) : before + score;
    }
  }

  private saturated(frequency: number, doc: number): number {
    const { k1, b } = this.rules;
    const length = (this.index.lengths[doc] ?? 0) / this.averageLength;
    return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
  }

  /** The best documents, in order. Insertion is enough: few of many get far. */
  private top(touched: readonly number[], limit: number): number[] {
    const top: number[] = [];
    for (const doc of touched) {
      const last = top[top.length - 1];
      if (top.length >= limit && (last === undefined || !this.isBefore(doc, last))) continue;
      let at = Math.min(top.length, limit - 1);
      for (; at > 0; at -= 1) {
        const other = top[at - 1] ?? 0;
        if (!this.isBefore(doc, other)) break;
        top[at] = other;
      }
      top[at] = doc;
    }
    return top;
  }

  private isBefore(a: number, b: number): boolean {
    const difference = (this.scores[a] ?? 0) - (this.scores[b] ?? 0);
    return difference === 0 ? this.index.idOf(a) < this.index.idOf(b) : difference > 0;
  }

  private hit(doc: number, terms: readonly WeighedTerm[], mass: number): LexicalHit {
    const matches: TermMatch[] = [];
    let covered = 0;
    for (const { word, alternatives, mass: own } of terms) {
      let best: TermMatch | null = null;
      let factor = 0;
      for (const alternative of alternatives) {
        const frequency = alternative.list.weightIn(doc);
        if (frequency === 0) continue;
        const score = alternative.weight * this.saturated(frequency, doc);
        if (best !== null && best.score >= score) continue;
        best = { word, found: alternative.word, how: alternative.how, score };
        factor = alternative.factor;
      }
      if (best === null) continue;
      matches.push(best);
      covered += own * factor;
    }
    return {
      id: this.index.idOf(doc),
      score: this.scores[doc] ?? 0,
      coverage: mass === 0 ? 0 : covered / mass,
      matches,
    };
  }
}

/** Gives each alternative the weight of its rarity among the documents that may be ranked. */
function weigh({ word, count, alternatives }: QueryTerm, size: number): WeighedTerm {
  const weighed = alternatives.map((alternative) => ({
    ...alternative,
    weight: count * alternative.factor * rarity(alternative.holders, size),
  }));
  const commonest = Math.max(0, ...alternatives.map(({ holders }) => holders));
  return { word, alternatives: weighed, mass: rarity(commonest, size) };
}

function holdersIn({ docs, size }: PostingList, scope: RankScope | null): number {
  if (scope === null) return size;
  let holders = 0;
  for (let at = 0; at < size; at += 1) holders += scope.mask[docs[at] ?? 0] ?? 0;
  return holders;
}

function rarity(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
}
