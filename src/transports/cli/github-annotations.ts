import { type Finding, type Severity } from '../../kernel/finding.js';

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * A workflow command of GitHub Actions. Data and properties are escaped as its runner expects; a line break left
 * in place would end the command and let a file name start another one.
 *
 * @example githubAnnotation(finding('name_missing', { path: 'a/SKILL.md', line: 1 }))
 * // ::warning file=a/SKILL.md,line=1,title=name_missing::The name is missing; …
 */
export function githubAnnotation({
  severity,
  code,
  message,
  path,
  line,
  column,
  found,
  hint,
}: Finding): string {
  const properties: [string, string | number | undefined][] = [
    ['file', path],
    ['line', line],
    ['col', line === undefined ? undefined : column],
    ['title', code],
  ];
  const written = properties.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(String(value))}`],
  );
  const text = [message, found, hint === undefined ? undefined : `(${hint})`].filter(
    (part) => part !== undefined,
  );
  return `::${COMMANDS[severity]} ${written.join(',')}::${escapeData(text.join(' '))}`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
