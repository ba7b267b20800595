import { type LexicalHit, type TermMatch } from './lexical-ranker.js';

/** A document that the query's vector is near to. */
export interface NearDocument {
  readonly id: string;
  /** Cosine of the angle to the query, -1 to 1. */
  readonly cosine: number;
}

export interface FusionInput {
  /** Best first, with what they cover of the query. */
  readonly lexical: readonly LexicalHit[];
  /** Near enough to be an answer by themselves, nearest first. */
  readonly near: readonly NearDocument[];
  /** How near a document that words found is, whether near enough or not. */
  readonly cosineOf: (id: string) => number | null;
}

/** One document with what both rankings say of it. */
export interface FusedHit {
  readonly id: string;
  readonly score: number;
  readonly lexicalScore: number;
  /** Null where the query or the document has no vector. */
  readonly cosine: number | null;
  /** How much of what the query says was found, 0 to 1. */
  readonly coverage: number;
  readonly matches: readonly TermMatch[];
}

/** A query whose every word was found has been understood; its vector may not overrule that. */
const FOUND_ALL = 0.999;
const MOST_LEXICAL_SHARE = 0.9;
/** A few words of many, in a text that is about something else: found by accident. */
const WEAK_COVERAGE = 0.4;
const ALIEN_COSINE = 0.35;
/** Where the best document by words must stand at the latest when it holds them all. */
const LATEST_PLACE = 2;

/**
 * One ranking out of two. Words count as much as they cover of the query, the vector counts the rest: where nobody
 * wrote the words of the query, their rank says little (adding reciprocal ranks loses half of what vectors find).
 */
export function fuse({ lexical: found, near, cosineOf }: FusionInput): FusedHit[] {
  const lexical = found.filter((hit) => !isAlien(hit, cosineOf(hit.id)));
  const [first] = lexical;
  const share = Math.min(MOST_LEXICAL_SHARE, first?.coverage ?? 0);
  const bestScore = first?.score ?? 1;
  const cosines = new Map(near.map(({ id, cosine }) => [id, cosine]));
  for (const { id } of lexical) {
    const cosine = cosineOf(id);
    if (cosine !== null) cosines.set(id, cosine);
  }
  const bestCosine = Math.max(...cosines.values(), Number.EPSILON);
  const fusedScore = (id: string, lexicalScore: number): number =>
    (share * lexicalScore) / bestScore + ((1 - share) * Math.max(0, cosines.get(id) ?? 0)) / bestCosine;
  const hits = lexical.map(({ id, score, coverage, matches }) => ({
    id,
    score: fusedScore(id, score),
    lexicalScore: score,
    cosine: cosines.get(id) ?? null,
    coverage,
    matches,
  }));
  const byWords = new Set(lexical.map(({ id }) => id));
  for (const { id, cosine } of near) {
    if (!byWords.has(id))
      hits.push({ id, score: fusedScore(id, 0), lexicalScore: 0, cosine, coverage: 0, matches: [] });
  }
  hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return first !== undefined && first.coverage >= FOUND_ALL ? keepUp(hits, first.id) : hits;
}

function isAlien({ coverage, matches }: LexicalHit, cosine: number | null): boolean {
  // A query with misspelled words is not understood by its vector.
  const misspelled = matches.some(({ how }) => how === 'typo');
  return coverage < WEAK_COVERAGE && cosine !== null && cosine < ALIEN_COSINE && !misspelled;
}

function keepUp(hits: FusedHit[], id: string): FusedHit[] {
  const place = hits.findIndex((hit) => hit.id === id);
  const above = hits[LATEST_PLACE];
  const hit = hits[place];
  if (place <= LATEST_PLACE || above === undefined || hit === undefined) return hits;
  const raised = { ...hit, score: above.score };
  return hits.toSpliced(place, 1).toSpliced(LATEST_PLACE, 0, raised);
}
