import { type RejectionCode } from '../kernel/resolution-codes.js';
import { parseSkillRef, type SkillRef, type SkillRefTarget } from '../kernel/slug.js';
import { type Availability, type CatalogSnapshot, type SkillEntry } from '../skills/discovery/skill-entry.js';

/** What a reference to a version came to; `unread` when the store has to be asked before it can be decided. */
export type PinnedSkill =
  | { readonly kind: 'found'; readonly entry: SkillEntry }
  | { readonly kind: 'missing'; readonly code: RejectionCode; readonly text: string }
  | { readonly kind: 'unread' };

/** What resolution sees of the catalogue. */
export interface ResolutionView {
  readonly snapshot: Pick<CatalogSnapshot, 'revision' | 'bySlug' | 'byName' | 'aliases' | 'deleted'>;
  /** Digest of the folder as it is known now; null while it has not been read. */
  digestOf(entry: SkillEntry): string | null;
  /** The skill at the version that a reference names. */
  pin(entry: SkillEntry, target: PinTarget): PinnedSkill;
}

export type PinTarget = Exclude<SkillRefTarget, { kind: 'current' }>;

/** What a reference came to. */
export type ResolvedRef =
  | {
      readonly kind: 'found';
      readonly entry: SkillEntry;
      readonly by: 'slug' | 'name';
      readonly target: SkillRefTarget;
    }
  | {
      readonly kind: 'rejected';
      readonly code: RejectionCode;
      readonly text: string;
      /** Slugs to choose from when several skills carry the name. */
      readonly candidates?: readonly string[];
    };

const CURRENT: SkillRefTarget = { kind: 'current' };

/**
 * Finds the skill that a reference names: by slug exactly, else by a name that only one skill carries.
 * A skill that exists and may not be used is a rejection that says so, never "not found".
 */
export function resolveRef(view: ResolutionView, text: string): ResolvedRef {
  // Nearly every reference is a plain slug; it needs no parsing to be found.
  const direct = view.snapshot.bySlug.get(text);
  if (direct) return usable(direct) ?? { kind: 'found', entry: direct, by: 'slug', target: CURRENT };
  const ref = parseSkillRef(text);
  if (!ref) return reject('ref_invalid', refProblem(text));
  const { bySlug, aliases, deleted } = view.snapshot;
  const entry = bySlug.get(ref.address) ?? aliases.get(ref.address);
  if (entry) return pinned(view, ref, entry, 'slug');
  const gone = deleted.get(ref.address);
  return (gone && usable(gone)) ?? byName(view, ref);
}

function byName(view: ResolutionView, ref: SkillRef): ResolvedRef {
  const [only, ...others] = view.snapshot.byName.get(ref.address) ?? [];
  if (!only) return reject('skill_not_found', 'no skill has this slug or name');
  if (others.length === 0) return pinned(view, ref, only, 'name');
  const candidates = [only, ...others].map((entry) => entry.slug).sort();
  const text = `${candidates.length} skills carry this name; use a slug: ${candidates.join(', ')}`;
  return { kind: 'rejected', code: 'ref_ambiguous', text, candidates };
}

function pinned(view: ResolutionView, ref: SkillRef, entry: SkillEntry, by: 'slug' | 'name'): ResolvedRef {
  const { target } = ref;
  if (target.kind === 'current') return usable(entry) ?? { kind: 'found', entry, by, target };
  // Revocation is of bytes: another version than the current one may still be used.
  const problem = entry.availability === 'revoked' ? null : usable(entry);
  if (problem) return problem;
  const pin = view.pin(entry, target);
  if (pin.kind === 'found') return { kind: 'found', entry: pin.entry, by, target };
  if (pin.kind === 'unread') return reject('version_not_found', 'the version has not been read yet');
  return reject(pin.code, pin.text);
}

/** Of a skill that no database knows: its only version is the one on disk. */
export function pinOnDisk(entry: SkillEntry, target: PinTarget, digest: string | null): PinnedSkill {
  switch (target.kind) {
    case 'version':
      if (target.version === entry.version) return { kind: 'found', entry };
      return missing(
        'version_not_found',
        `the skill has no version ${target.version}; it has ${entry.version}`,
      );
    case 'digest':
      if (digest === null) return { kind: 'unread' };
      if (target.digest === digest) return { kind: 'found', entry };
      return missing('version_not_found', 'no version of the skill has this digest');
    case 'label':
      return missing('label_not_found', `the skill has no label "${target.label}"`);
  }
}

function missing(code: RejectionCode, text: string): PinnedSkill {
  return { kind: 'missing', code, text };
}

const UNUSABLE: Partial<Record<Availability, { code: RejectionCode; text: string }>> = {
  disabled: { code: 'skill_disabled', text: 'the skill is switched off' },
  invalid: { code: 'skill_invalid', text: 'the skill cannot be offered' },
  revoked: { code: 'skill_revoked', text: 'the skill was revoked' },
  deleted: { code: 'skill_deleted', text: 'the skill was deleted' },
};

function usable(entry: SkillEntry): ResolvedRef | null {
  const problem = UNUSABLE[entry.availability];
  if (!problem) return null;
  const cause = entry.findings.find((remark) => remark.severity === 'error');
  const detail = problem.code === 'skill_invalid' && cause ? `: ${cause.message}` : '';
  return reject(problem.code, `${problem.text}${detail}`);
}

function refProblem(text: string): string {
  return text.trim() === '' ? 'the reference is blank' : 'the reference is neither a slug nor a name';
}

function reject(code: RejectionCode, text: string): ResolvedRef {
  return { kind: 'rejected', code, text };
}
