import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { isRecoverable } from './field-names.js';
import { composeYaml, type YamlSource } from './yaml-mapping.js';
import { isMap, isScalar, type Document } from 'yaml';

export interface Recovered {
  /** The block with the odd values quoted; the same number of lines. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

const KEY_LINE = /^(["']?)([A-Za-z][A-Za-z0-9_-]{0,63})\1[ ]*:(?:[ \t]|$)/;

/**
 * Quotes the values of text fields that are no YAML text as they stand: `description: Plans: then acts`,
 * `[beta] …`, `` `make` … ``, `*.md …`. Their authors meant the words; names, lists and maps are left alone.
 * A quote that is never closed stays an error, because no one can say where the value ends.
 */
export function recoverText(source: YamlSource): Recovered {
  const lines = source.text.split('\n');
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < lines.length; index += 1) {
    const match = KEY_LINE.exec(lines[index] ?? '');
    const field = match?.[2];
    // A key that stands twice is an error anyhow, and thousands of them would cost a YAML parse each.
    if (match === null || field === undefined || !isRecoverable(field) || seen.has(field)) continue;
    seen.add(field);
    const last = lastLineOfValue(lines, index);
    const entry = lines.slice(index, last + 1);
    const raw = [entry[0]?.slice(match[0].length) ?? '', ...entry.slice(1)].map((line) => line.trim());
    const value = fold(raw);
    if (value !== null && !isTextEntry(entry.join('\n'))) {
      lines[index] = `${field}: ${JSON.stringify(value)}`;
      for (let below = index + 1; below <= last; below += 1) lines[below] = '';
      const place = { line: source.firstLine + index, column: 1 };
      findings.push(finding('yaml_recovered', { ...place, field, found: quoteFound(value), hint: HINT }));
    }
    index = last;
  }
  return { text: lines.join('\n'), findings };
}

const HINT = 'Put the value in quotes.';

/** Continuation lines are indented; blank lines belong to the value only when more of it follows. */
function lastLineOfValue(lines: readonly string[], first: number): number {
  let last = first;
  for (let index = first + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (!line.startsWith(' ') && !line.startsWith('\t')) break;
    last = index;
  }
  return last;
}

/** The words of the value, or null when they must not be guessed at. */
function fold(raw: readonly string[]): string | null {
  const [first = ''] = raw;
  const isBlock = /^[|>][-+0-9]*$/.test(first);
  if (first === '' || isBlock) return null;
  let value = first;
  let breaks = 0;
  for (const line of raw.slice(1)) {
    if (line === '') breaks += 1;
    else {
      value += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
      breaks = 0;
    }
  }
  const quote = first[0];
  if (quote !== '"' && quote !== "'") return value;
  const close = value.lastIndexOf(quote);
  if (close === 0) return null;
  return close === value.length - 1 ? value.slice(1, close) : value;
}

/** Whether YAML reads the entry as one text without anchor, alias or tag. */
function isTextEntry(entry: string): boolean {
  const composed = composeYaml(entry);
  if ('finding' in composed || composed.document.errors.length > 0) return false;
  const value = soleValue(composed.document);
  return isScalar(value) && value.tag === undefined && value.anchor === undefined;
}

function soleValue(document: Document.Parsed): unknown {
  const { contents } = document;
  return isMap(contents) && contents.items.length === 1 ? contents.items[0]?.value : undefined;
}
