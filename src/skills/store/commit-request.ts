import { type NewContent } from './stored-skill.js';

/** A skill as the asker saw it; a commit that finds another one changes nothing. */
export interface ExpectedSkill {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
}

/** New bytes for one skill. */
export interface CommitRequest {
  readonly layer: string;
  readonly slug: string;
  /** Null: the skill is to be made. */
  readonly expected: ExpectedSkill | null;
  /** The versions to add, oldest first; the last becomes the current one. */
  readonly contents: readonly NewContent[];
  /** What stands in the audit row: `skill.create`, `skill.update`, `skill.restore` … */
  readonly action: string;
  /** Set where the new skill arrives switched off. */
  readonly disabledReason?: string;
}

export type CommitResult =
  | { readonly kind: 'committed'; readonly id: string; readonly version: number }
  /** Somebody else was first. */
  | { readonly kind: 'conflict' };
