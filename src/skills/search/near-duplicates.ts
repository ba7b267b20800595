import { type SearchableSkill } from './analyzer.js';

/** Another skill whose description says nearly the same. */
export interface NearDuplicate<Skill> {
  readonly skill: Skill;
  /** Share of their words that both descriptions have, 0 to 1. */
  readonly sharedWords: number;
  /** How near their vectors are; null where one has none. */
  readonly cosine: number | null;
}

export interface ComparedSkill<Skill> {
  readonly skill: Skill;
  /** Terms of the description. */
  readonly terms: ReadonlySet<string>;
  readonly vector: Float32Array | null;
}

/** Half of all words in common: edits of one text, where unrelated ones share a fifth at most. */
const SHARED_WORDS = 0.5;

/**
 * The skills that a model could hardly tell from this one, nearest first.
 *
 * @param twinCosine from which two descriptions count as the same in other words
 */
export function nearDuplicates<Skill extends SearchableSkill>(
  draft: ComparedSkill<SearchableSkill>,
  others: readonly ComparedSkill<Skill>[],
  twinCosine: number,
): NearDuplicate<Skill>[] {
  const compared = others.map(({ skill, terms, vector }) => ({
    skill,
    sharedWords: sharedPart(draft.terms, terms),
    cosine: draft.vector && vector && product(draft.vector, vector),
  }));
  return compared
    .filter(({ sharedWords, cosine }) => sharedWords >= SHARED_WORDS || (cosine ?? -1) >= twinCosine)
    .sort((a, b) => nearness(b) - nearness(a) || (a.skill.slug < b.skill.slug ? -1 : 1));
}

function nearness({ sharedWords, cosine }: NearDuplicate<unknown>): number {
  return Math.max(sharedWords, cosine ?? 0);
}

function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
