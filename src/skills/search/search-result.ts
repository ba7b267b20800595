import { type SkillEntry } from '../discovery/skill-entry.js';
import { type FoundSkills } from './skill-index.js';
import { type VectorState } from './vector-state.js';

export interface SearchRequest {
  readonly query: string;
  /** Hits at most. */
  readonly limit: number;
  /** Only these are ranked, and only what they say has a part in the scores; null: all but builtins. */
  readonly scope?: readonly SkillEntry[] | null;
}

export interface SearchResult extends FoundSkills {
  /** Skills whose headings are not read yet; they are found by everything else. */
  readonly headingsPending: number;
  readonly vectors: VectorState;
}
