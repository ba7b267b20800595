import { type SearchableSkill } from './analyzer.js';
import { nearDuplicates, type NearDuplicate } from './near-duplicates.js';
import { type SearchService } from './search.service.js';
import { type FoundSkill } from './skill-index.js';
import { type VectorState } from './vector-state.js';

export interface TriggerQuestion<Skill> {
  /** What the author wrote; it stands in the place of a skill with the same slug. */
  readonly draft: SearchableSkill;
  /** What users would say when they need the skill. */
  readonly prompts: readonly string[];
  /** Among which it must be found. */
  readonly others: readonly Skill[];
}

export interface PromptRank {
  readonly prompt: string;
  /** 1 for the first; null when the skill is not found, or far behind. */
  readonly rank: number | null;
  /** Skills that stand before it, or first where it is not found; at most three. */
  readonly ahead: readonly FoundSkill<SearchableSkill>[];
}

export interface TriggerCheck<Skill> {
  readonly ranks: readonly PromptRank[];
  /** Skills among which it was ranked, itself included. */
  readonly among: number;
  readonly nearDuplicates: readonly NearDuplicate<Skill>[];
  readonly vectors: VectorState;
}

const FAR_BEHIND = 100;
const SHOWN_AHEAD = 3;

/** Whether a description brings its skill up for what users say, and whether it can be told from the others. */
export async function checkTriggers<Skill extends SearchableSkill>(
  search: SearchService,
  { draft, prompts, others: given }: TriggerQuestion<Skill>,
): Promise<TriggerCheck<Skill>> {
  const others = given.filter(({ slug }) => slug !== draft.slug);
  const index = await search.indexOf([draft, ...others]);
  const ranks: PromptRank[] = [];
  for (const prompt of prompts) {
    const { found } = await search.searchIn(index, { query: prompt, limit: FAR_BEHIND });
    const place = found.findIndex(({ entry }) => entry === draft);
    const ahead = found.slice(0, place < 0 ? SHOWN_AHEAD : Math.min(place, SHOWN_AHEAD));
    ranks.push({ prompt, rank: place < 0 ? null : place + 1, ahead });
  }
  const [compared, ...rest] = await search.comparable([draft, ...others]);
  return {
    ranks,
    among: others.length + 1,
    nearDuplicates:
      compared === undefined
        ? []
        : nearDuplicates(
            compared,
            rest.flatMap((one, at) => {
              const skill = others[at];
              return skill === undefined ? [] : [{ ...one, skill }];
            }),
            search.twinCosine,
          ),
    vectors: search.vectorState(),
  };
}
