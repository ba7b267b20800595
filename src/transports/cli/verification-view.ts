import { describeProblem, type Verification } from '../../operations/schemas/verification.js';
import { counted } from './finding-lines.js';
import { inline } from './terminal-text.js';

/** One line a problem, then one that says how much was looked at. */
export function verificationLines({ problems, found, ok, all, checked }: Verification): string[] {
  const lines = problems.map((problem) => inline(describeProblem(problem)));
  const more = found - problems.length;
  if (more > 0) lines.push(`… and ${more} more`);
  const scope = all ? 'every version' : 'current versions';
  const looked = [
    counted(checked.skills, 'skill'),
    counted(checked.versions, 'version'),
    counted(checked.blobs, 'file'),
    counted(checked.workflow_versions, 'workflow version'),
    counted(checked.audit_rows, 'audit row'),
  ].join(', ');
  return [...lines, `${ok ? 'whole' : counted(found, 'problem')}: ${looked} (${scope})`];
}
