import { visibleText } from '../format/visible-text.js';
import { type TermMatch } from './lexical-ranker.js';
import { type SearchResult } from './search-result.js';
import { type FoundSkill } from './skill-index.js';
import { type VectorState } from './vector-state.js';

/** One skill that a search found, with the names of the wire. */
export interface SearchHit {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Comparable within one answer only. */
  readonly score: number;
  /** Words of the query that were found. */
  readonly matched_terms: readonly string[];
  /** Where the score comes from; only when asked for. */
  readonly explain?: SearchExplanation;
}

export interface SearchExplanation {
  /** The query is the skill's name or slug, which puts it first. */
  readonly named: boolean;
  /** What its words alone make of it. */
  readonly lexical_score: number;
  /** How near its vector is to the query's, -1 to 1; null where one of them has none. */
  readonly cosine: number | null;
  readonly terms: readonly TermMatch[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Skills that matched, whether or not they stand among the hits. */
  readonly total: number;
  /** Skills whose headings are not read yet. */
  readonly headings_pending: number;
  readonly vectors: VectorState;
}

/** What a search found as doors and tools answer it. */
export function searchAnswer(
  { found, total, headingsPending, vectors }: SearchResult,
  { explain = false } = {},
): SearchAnswer {
  const hits = found.map((hit) => ({
    slug: hit.entry.slug,
    name: hit.entry.name,
    description: visibleText(hit.entry.description),
    score: rounded(hit.score),
    matched_terms: hit.matches.map(({ word }) => word),
    ...(explain && { explain: explanation(hit) }),
  }));
  return { hits, total, headings_pending: headingsPending, vectors };
}

function explanation({ named, lexicalScore, cosine, matches }: FoundSkill): SearchExplanation {
  return {
    named,
    lexical_score: rounded(lexicalScore),
    cosine: cosine === null ? null : rounded(cosine),
    terms: matches.map((match) => ({ ...match, score: rounded(match.score) })),
  };
}

/** Digits below are the noise of adding up in another order. */
function rounded(score: number): number {
  return Number(score.toFixed(6));
}
