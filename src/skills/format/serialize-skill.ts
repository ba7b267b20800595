import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding } from '../../kernel/finding.js';
import { bodyRange } from './body-text.js';
import { findEntry, locateEntries, type Entry } from './entry-lines.js';
import { locateFrontmatter } from './fences.js';
import { parseFrontmatter } from './parse-frontmatter.js';
import { UNSAFE_KEYS } from './parsed-mapping.js';
import { renderEntry } from './render-yaml.js';
import { type JsonValue, type SkillDocument } from './skill-document.js';
import { unstorableFindings } from './text-checks.js';

/** What to change; everything else of the file stays as it is, byte for byte. */
export interface SkillEdits {
  /** New values by key. A key that the file spells with an underscore keeps its spelling; a new one goes last. */
  readonly set?: Readonly<Record<string, JsonValue>>;
  /** Keys to take out; absent ones are ignored. */
  readonly remove?: readonly string[];
  /** The new instructions; blank lines around them stay as they were. */
  readonly body?: string;
}

/**
 * The file with some keys or the body changed: comments, order, unknown keys, quoting, line endings and the
 * byte-order mark of the rest are kept.
 *
 * @throws SkillwrightError `skill_md_invalid` when the frontmatter is not readable, is written in a form without
 * lines of its own (`{name: x}`), or a new value cannot be stored.
 * @example serializeSkill(document, { set: { description: 'Reads PDF: text, tables.' } })
 */
export function serializeSkill(document: SkillDocument, edits: SkillEdits): string {
  const bytes = Buffer.from(document.source);
  const place = locateFrontmatter(bytes, true);
  const isReadable = !document.findings.some(({ code }) => code === 'text_unstorable');
  if (document.keys === null || place.kind !== 'found' || !isReadable) throw refusal(document.findings);
  const byteOrderMark = document.bodyOffset > place.body ? '\ufeff' : '';
  const opening = bytes.toString('utf8', 0, place.start);
  const lineEnd = opening.endsWith('\r\n') ? '\r\n' : '\n';
  const block = editBlock(bytes.toString('utf8', place.start, place.end), edits, lineEnd);
  const closing = bytes.toString('utf8', place.end, place.body);
  const rest = bytes.toString('utf8', place.body);
  if (edits.body === undefined) return byteOrderMark + opening + block + closing + rest;
  // Only a file that ended in its fence lacks the line break before a body.
  const gap = closing.endsWith('\n') ? '' : lineEnd;
  return byteOrderMark + opening + block + closing + gap + editBody(rest, edits.body, lineEnd);
}

function editBody(rest: string, body: string, lineEnd: string): string {
  const now = bodyRange(rest, 0);
  const next = bodyRange(body, 0);
  const text = body.slice(next.start, next.end).replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);
  if (now.start < now.end) return rest.slice(0, now.start) + text + rest.slice(now.end);
  return text === '' ? rest : (rest.trim() === rest ? lineEnd : rest) + text + lineEnd;
}

function editBlock(block: string, { set = {}, remove = [] }: SkillEdits, lineEnd: string): string {
  if (Object.keys(set).length === 0 && remove.length === 0) return block;
  const lines = block.split(/(?<=\n)/);
  const entries = locateEntries(block, lines);
  const indent = ' '.repeat(entries[0]?.indent ?? 0);
  const replace = (entry: Entry, text: string): void => {
    lines.fill('', entry.first, entry.last + 1);
    lines[entry.first] = text;
  };
  for (const key of remove) {
    const entry = findEntry(entries, key);
    if (entry) replace(withBlankLinesBehind(entry, lines), '');
  }
  for (const [key, value] of Object.entries(set)) {
    if (UNSAFE_KEYS.has(key)) throw refusal([], `the key ${key} is never kept`);
    const entry = findEntry(entries, key);
    const [head = '', ...below] = renderEntry(entry?.key ?? key, value);
    const text = [head + (entry?.comment ?? ''), ...below].map((line) => indent + line + lineEnd).join('');
    if (entry) replace(entry, text);
    else lines.push(text);
  }
  const edited = lines.join('');
  const parsed = parseFrontmatter(edited, 2);
  const problems = parsed.kind === 'mapping' ? unstorableFindings(parsed) : parsed.findings;
  if (problems.length > 0) throw refusal(problems);
  return edited;
}

/**
 * The entry with the blank lines behind it, where blank lines stand before it as well: they must not pile up, nor
 * become part of a value above that keeps its line breaks (`|+`).
 */
function withBlankLinesBehind(entry: Entry, lines: readonly string[]): Entry {
  const above = lines.slice(0, entry.first).join('');
  const isKept = above.trim() !== '' && (/\n\s*\n$/.test(above.slice(-200)) || /[|>]\d?\+/.test(above));
  let { last } = entry;
  while (isKept && lines[last + 1]?.trim() === '') last += 1;
  return { ...entry, last };
}

function refusal(findings: readonly Finding[], detail?: string): SkillwrightError {
  const issues = findings.filter(({ severity }) => severity === 'error');
  const because = detail ?? issues[0]?.message ?? 'the frontmatter cannot be read';
  return new SkillwrightError('skill_md_invalid', { detail: `SKILL.md was not changed: ${because}`, issues });
}
