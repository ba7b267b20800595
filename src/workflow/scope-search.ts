import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { visibleText } from '../skills/format/visible-text.js';

/** One skill that a search found. */
export interface SearchHit {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly matched_terms: readonly string[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Skills that matched, whether or not they stand among the hits. */
  readonly total: number;
}

const IN_NAME = 3;
const IN_DESCRIPTION = 1;
const EXACT = 100;

/**
 * Ranks the skills of a scope by the query's words: a word in name or slug counts three times one in the
 * description, a query that is a skill's slug or name puts it first. Skills hidden from the model are not found.
 */
export function searchScope(entries: readonly SkillEntry[], query: string, limit: number): SearchAnswer {
  const wanted = words(query);
  const whole = fold(query.trim());
  const found: SearchHit[] = [];
  for (const entry of entries) {
    if (entry.frontmatter.disableModelInvocation) continue;
    const hit = scored(entry, wanted, whole);
    if (hit) found.push(hit);
  }
  found.sort((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : 1));
  return { hits: found.slice(0, limit), total: found.length };
}

function scored(entry: SkillEntry, wanted: readonly string[], whole: string): SearchHit | null {
  const { slug, name, description } = entry;
  const title = fold(`${slug} ${name}`);
  const text = fold(description);
  let score = whole !== '' && (fold(slug) === whole || fold(name) === whole) ? EXACT : 0;
  const matched: string[] = [];
  for (const word of wanted) {
    const points = (title.includes(word) ? IN_NAME : 0) + (text.includes(word) ? IN_DESCRIPTION : 0);
    if (points > 0) matched.push(word);
    score += points;
  }
  return score === 0
    ? null
    : { slug, name, description: visibleText(description), score, matched_terms: matched };
}

/** Letters and digits in runs; scripts without blanks between words give single characters. */
function words(query: string): string[] {
  const runs = fold(query).match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu);
  return [...new Set(runs ?? [])];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
