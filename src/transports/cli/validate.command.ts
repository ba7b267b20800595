import { reportFindings } from '../../operations/validation-report.js';
import { type CliSession } from './cli-session.service.js';
import { counted, countSeverities, countsText, findingLine } from './finding-lines.js';
import { githubAnnotation } from './github-annotations.js';
import { type ReportFormat } from './report-formats.js';
import { sarifLog } from './sarif.js';

export interface ValidateFlags {
  readonly strict?: true;
  readonly format?: ReportFormat;
}

/** Exit 1 when anything has a finding of severity error. */
export async function validateCommand(
  session: CliSession,
  paths: readonly string[],
  { strict, format = session.json ? 'json' : 'text' }: ValidateFlags,
): Promise<number> {
  const { parts, paint } = session;
  const { limits, discovery } = session.options();
  const report = await parts.validatePaths({
    paths,
    cwd: parts.cwd,
    strict: strict === true,
    limits,
    maxFolders: discovery.maxFolders,
  });
  const findings = reportFindings(report);
  const counts = countSeverities(findings);
  const valid = counts.error === 0;
  const summary = `${counted(report.skills.length, 'skill')} checked: ${countsText(counts)}`;
  switch (format) {
    case 'text':
      session.print([
        ...findings.map((one) => findingLine(one, paint)),
        paint(valid ? 'green' : 'red', summary),
      ]);
      break;
    case 'json':
      session.print([JSON.stringify({ valid, counts, ...report }, null, 2)]);
      break;
    case 'github':
      session.print(findings.map(githubAnnotation));
      session.note(summary);
      break;
    case 'sarif':
      session.print([JSON.stringify(sarifLog(findings, parts.cwd, parts.version), null, 2)]);
      break;
  }
  return valid ? 0 : 1;
}
