import { type Severity } from '../../kernel/finding.js';
import { paintWord, type Paint } from './paint.js';
import { inline } from './terminal-text.js';

/** A finding from anywhere; a service of another version may send a code that is not known here. */
export interface ShownFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly found?: string | undefined;
  readonly hint?: string | undefined;
}

/** `path:line:col severity code message (hint)`: what editors and `grep` understand. */
export function findingLine(finding: ShownFinding, paint: Paint): string {
  const { path, line, column, severity, code, message, found, hint } = finding;
  const place = [path === undefined ? '-' : inline(path), line, line === undefined ? undefined : column];
  const parts = [
    paint('bold', place.filter((part) => part !== undefined).join(':')),
    paintWord(paint, severity),
    code,
    inline(message),
  ];
  if (found !== undefined && !message.includes(found)) parts.push(inline(found));
  if (hint !== undefined) parts.push(`(${inline(hint)})`);
  return parts.join(' ');
}

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function countSeverities(findings: readonly Pick<ShownFinding, 'severity'>[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** `2 errors, 1 warning`; `no findings` when there are none. */
export function countsText({ error, warning, info }: SeverityCounts): string {
  const parts = [counted(error, 'error'), counted(warning, 'warning'), counted(info, 'remark')];
  return parts.filter((part) => !part.startsWith('0 ')).join(', ') || 'no findings';
}

/** `1 skill`, `3 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
