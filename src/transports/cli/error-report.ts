import { type SkillwrightError } from '../../kernel/errors.js';
import { findingLine } from './finding-lines.js';
import { type Paint } from './paint.js';
import { inline } from './terminal-text.js';

/** One line, then one for each issue; no stack, since a person at a terminal cannot use it. */
export function errorLines(error: SkillwrightError, paint: Paint): string[] {
  const { issues = [], detail = error.message } = error.facts;
  return [
    `skillwright: ${inline(detail)}`,
    ...rejectedLines(error.facts['rejected']).map((line) => `  ${line}`),
    ...issues.map((issue) => `  ${findingLine(issue, paint)}`),
  ];
}

/** The same as JSON, with every fact that the error carries. */
export function errorDocument(error: SkillwrightError): object {
  const { detail = error.message, issues = [], ...facts } = error.facts;
  return { error: { code: error.code, detail, issues, ...facts } };
}

/** `skills_rejected` names each reference; the fact comes over the wire too, so its shape is not trusted. */
function rejectedLines(rejected: unknown): string[] {
  if (!Array.isArray(rejected)) return [];
  return rejected.map((one: { ref?: unknown; code?: unknown; because?: { text?: unknown } } | null) =>
    inline(`${String(one?.ref)} ${String(one?.code)}: ${String(one?.because?.text)}`),
  );
}
