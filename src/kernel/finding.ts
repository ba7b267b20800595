import { FINDINGS, type FindingCode } from './finding-codes.js';

export type Severity = 'error' | 'warning' | 'info';

/** A remark from parsing, validation or scanning. Small remarks are findings; refusals are errors. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** Relative to the workspace or the given folder, with `/`; absent for findings about no file. */
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Frontmatter key, JSON pointer or option path. */
  readonly field?: string;
  /** What stood there, quoted and cut to 80 characters. */
  readonly found?: string;
  /** What to do about it. */
  readonly hint?: string;
}

type FindingFacts = Partial<Omit<Finding, 'code'>>;

/**
 * Makes a finding; severity and message come from the table unless given.
 *
 * @example finding('yaml_recovered', { field: 'description', line: 3 })
 */
export function finding(code: FindingCode, facts: FindingFacts = {}): Finding {
  const { severity, message } = FINDINGS[code];
  return { severity, code, message, ...facts };
}

/** Quotes what was found for a message: one line, at most 80 characters. */
export function quoteFound(text: string): string {
  const line = text.slice(0, 400).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  const points = Array.from(line);
  return `"${points.length > 80 ? `${points.slice(0, 79).join('')}…` : line}"`;
}
