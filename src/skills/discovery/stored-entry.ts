import { type Finding } from '../../kernel/finding.js';
import { availabilityOf } from './availability.js';
import { type SkillEntry, type StoredSkill } from './skill-entry.js';

/** What is known of a stored skill beside its row. */
export interface StoredNotes {
  /** Whether the bytes of this version were revoked. */
  readonly revoked: boolean;
  /** Remarks about its folder. */
  readonly findings: readonly Finding[];
}

/**
 * The entry of a skill whose bytes are stored: what they say comes from `entry`, everything else from the row.
 *
 * @param entry made from the SKILL.md of the row's version, on disk or out of the store
 */
export function withStored(entry: SkillEntry, stored: StoredSkill, notes: StoredNotes): SkillEntry {
  const { id, version, origin, enabled, status, missingDeps } = stored;
  const valid = entry.version > 0;
  const availability = availabilityOf({
    valid,
    enabled,
    status,
    revoked: notes.revoked,
    deleted: stored.deleted,
  });
  const findings = notes.findings.length === 0 ? entry.findings : [...entry.findings, ...notes.findings];
  return { ...entry, id, version, origin, enabled, status, missingDeps, availability, findings, stored };
}
