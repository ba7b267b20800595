import { finding, type Finding } from '../kernel/finding.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';

/** What every step's answer repeats about a skill; made once per entry. */
export interface SkillFacts {
  /** Folder relative to the workspace; null for a skill that does not lie in it. */
  readonly folder: string | null;
  /** Read grants: the folder with and without its slash, or nothing. */
  readonly readPaths: readonly string[];
  /** Remarks that hold wherever the skill is used. */
  readonly warnings: readonly Finding[];
  /** `missing: pip:openpyxl, npm:marked` for a skill whose dependencies are missing, else null. */
  readonly warning: string | null;
}

// Entries are immutable and live as long as their snapshot, so what follows from one is kept with it.
const known = new WeakMap<SkillEntry, SkillFacts>();

/** What follows from an entry alone, remembered for as long as the entry lives. */
export function skillFacts(entry: SkillEntry): SkillFacts {
  let facts = known.get(entry);
  if (!facts) known.set(entry, (facts = factsOf(entry)));
  return facts;
}

function factsOf(entry: SkillEntry): SkillFacts {
  const folder = folderInWorkspace(entry);
  const warning =
    entry.status === 'archived' ? `missing: ${entry.missingDeps.join(', ') || 'unknown'}` : null;
  const warnings = [
    ...(folder === null ? [finding('not_on_disk', { path: entry.filePath })] : []),
    ...(warning === null ? [] : [finding('dependency_missing', { message: warning, path: entry.filePath })]),
  ];
  return { folder, readPaths: folder === null ? [] : [`${folder}/`, folder], warnings, warning };
}

function folderInWorkspace(entry: SkillEntry): string | null {
  if (entry.layer !== 'workspace' && entry.layer !== 'agents') return null;
  const slash = entry.filePath.lastIndexOf('/');
  return slash < 0 ? null : entry.filePath.slice(0, slash);
}
