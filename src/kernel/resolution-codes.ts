/** Why a reference gave a step no skill. A closed list; `docs/errors.md` shows it. */
export const REJECTIONS = {
  skill_not_found: 'No skill has this slug or name.',
  skill_disabled: 'The skill is switched off.',
  skill_invalid: 'The skill cannot be offered; its findings say why.',
  skill_deleted: 'The skill was deleted.',
  skill_revoked: 'The skill or this version of it was revoked.',
  skill_forbidden: 'The caller may not use this skill.',
  version_not_found: 'The skill has no such version.',
  label_not_found: 'The skill has no such label.',
  ref_ambiguous: 'Several skills carry this name.',
  ref_invalid: 'The reference is not a slug or name.',
} as const;

export type RejectionCode = keyof typeof REJECTIONS;

/** Why a step has a skill. A closed list; `docs/errors.md` shows it. */
export const REASONS = {
  step: "The step's own list names it.",
  preset: "The workflow's preset names it.",
  inherited: 'The parent step has it.',
  allow_list: "The agent's allow-list names it, or there is none.",
  builtin: 'The caller stated a capability that brings it.',
  pointer: 'The workflow has learnings to point at.',
  pin: 'The reference pins a version.',
} as const;

export type ReasonKind = keyof typeof REASONS;

/** A decision's reason: the kind, the reference as written, one sentence. */
export interface Because {
  readonly kind: ReasonKind;
  readonly ref: string;
  readonly text: string;
}
