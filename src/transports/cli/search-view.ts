import { type Paint } from './paint.js';
import { renderTable } from './table.js';

export interface ShownHit {
  readonly slug: string;
  readonly description: string;
  readonly score: number;
  readonly matched_terms: readonly string[];
  readonly explain?:
    | {
        readonly named: boolean;
        readonly cosine: number | null;
        readonly terms: readonly { word: string; found: string; how: string; score: number }[];
      }
    | undefined;
}

/** One line a hit; with explanations, what was found in place of what and its part of the score. */
export function searchLines(hits: readonly ShownHit[], width: number | null, paint: Paint): string[] {
  if (hits.length === 0) return ['no skill matches'];
  const explained = hits.some(({ explain }) => explain !== undefined);
  const rows = hits.map((hit) => [
    hit.slug,
    hit.score.toFixed(2),
    explained ? reasons(hit) : hit.matched_terms.join(' '),
    hit.description,
  ]);
  return renderTable({ head: ['skill', 'score', 'matched', 'description'], rows, width, paint });
}

function reasons({ explain }: ShownHit): string {
  const terms = (explain?.terms ?? []).map(({ word, found, how, score }) => {
    const taken = how === 'word' ? word : `${word} (${how}: ${found})`;
    return `${taken} ${score.toFixed(2)}`;
  });
  const near = explain?.cosine ?? null;
  const parts = [...(explain?.named === true ? ['name'] : []), ...terms];
  return [...parts, ...(near === null ? [] : [`near ${near.toFixed(2)}`])].join(', ');
}
