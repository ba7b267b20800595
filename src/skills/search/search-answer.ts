import { visibleText } from '../format/visible-text.js';
import { type TermMatch } from './lexical-ranker.js';
import { type FoundSkill } from './skill-index.js';

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
  readonly terms: readonly TermMatch[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Skills that matched, whether or not they stand among the hits. */
  readonly total: number;
  /** Skills whose headings are not read yet. */
  readonly headings_pending: number;
}

interface Searched {
  readonly found: readonly FoundSkill[];
  readonly total: number;
  readonly headingsPending: number;
}

/** What a search found as doors and tools answer it. */
export function searchAnswer(searched: Searched, { explain = false } = {}): SearchAnswer {
  return {
    hits: searched.found.map(({ entry, score, matches, named }) => ({
      slug: entry.slug,
      name: entry.name,
      description: visibleText(entry.description),
      score: rounded(score),
      matched_terms: matches.map(({ word }) => word),
      ...(explain && {
        explain: { named, terms: matches.map((match) => ({ ...match, score: rounded(match.score) })) },
      }),
    })),
    total: searched.total,
    headings_pending: searched.headingsPending,
  };
}

/** Digits below are the noise of adding up in another order. */
function rounded(score: number): number {
  return Number(score.toFixed(6));
}
