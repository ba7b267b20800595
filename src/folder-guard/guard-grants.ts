/** A skill that a step may read, and never write whatever else is granted. */
export interface SkillFolder {
  /** Where the step finds it: `skills/<slug>`, relative to the workspace. */
  readonly target: string;
  /** Absolute folder of the bytes; null when they lie at the target. */
  readonly source: string | null;
  /** `sha256:` over the folder; null when it is not known. */
  readonly digest: string | null;
}

/**
 * What a step may touch. Paths are relative to the workspace, or absolute inside it; nothing in them is expanded. An
 * absent list is empty, and nothing that no list names may be touched.
 */
export interface GuardGrants {
  /** Skills of the step. */
  readonly skills?: readonly SkillFolder[];
  /** Folders outside the workspace in which linked skills may lie; never a caller's own choice. */
  readonly skill_places?: readonly string[];
  readonly read_paths?: readonly string[];
  /** What may be written may be read. */
  readonly write_paths?: readonly string[];
  /** Neither read nor written, whatever the lists above say. */
  readonly blocked?: readonly string[];
  /** Not written. */
  readonly blocked_write?: readonly string[];
}

/** What a step has, and what its engine adds: folders and bans, never skills. */
export function addGrants(step: GuardGrants, added: GuardGrants): GuardGrants {
  return {
    ...step,
    read_paths: [...(step.read_paths ?? []), ...(added.read_paths ?? [])],
    write_paths: [...(step.write_paths ?? []), ...(added.write_paths ?? [])],
    blocked: [...(step.blocked ?? []), ...(added.blocked ?? [])],
    blocked_write: [...(step.blocked_write ?? []), ...(added.blocked_write ?? [])],
  };
}

/** Why a text grants or bans nothing; null when it can. */
export function grantProblem(given: unknown): string | null {
  if (typeof given !== 'string') return 'it is not a text';
  if (given.trim() === '') return 'it is empty';
  if (given.trim() !== given) return 'it has blanks at its edge';
  if (/\p{Cc}/u.test(given)) return 'it holds a control character';
  if (/[*?]/.test(given)) return 'it holds a wildcard, which is not expanded';
  if (/^~|\$[{(A-Za-z]/.test(given)) return 'it holds a "~" or a variable, which is not expanded';
  if (given.split('/').includes('..')) return 'it holds the segment ".."';
  return null;
}
