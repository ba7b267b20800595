import { isCollection, isMap, isNode, isScalar, type Pair } from 'yaml';
import { SkillwrightError } from '../../kernel/errors.js';
import { fieldName } from './field-names.js';
import { readRecovering } from './parse-frontmatter.js';
import { composeYaml } from './yaml-mapping.js';

/** The lines of one top-level entry, 0-based within the block. */
export interface Entry {
  readonly key: string;
  readonly first: number;
  /** Without blank lines and comments behind the value, which belong to what follows. */
  readonly last: number;
  readonly indent: number;
  /** A comment behind the value with the blanks before it, else empty. */
  readonly comment: string;
}

/** The entry of a key, by its own spelling or as a twin of the same known field. */
export function findEntry(entries: readonly Entry[], key: string): Entry | undefined {
  const field = fieldName(key)?.field;
  return (
    entries.find((entry) => entry.key === key) ??
    entries.find((entry) => field !== undefined && fieldName(entry.key)?.field === field)
  );
}

/**
 * Where each entry of a readable block lies.
 *
 * @param lines the block's lines with their line breaks.
 * @throws SkillwrightError `skill_md_invalid` when entries have no lines of their own (`{name: x}`, `? name`).
 */
export function locateEntries(block: string, lines: readonly string[]): Entry[] {
  const { text } = readRecovering({ text: block.replaceAll('\r\n', '\n'), firstLine: 1 });
  const composed = composeYaml(text);
  if ('finding' in composed) throw notByLine();
  const { contents } = composed.document;
  if (contents === null) return [];
  if (!isMap(contents) || contents.flow === true) throw notByLine();
  const positions = contents.items.map((pair) => {
    const [offset] = pair.key.range;
    const { line, col } = composed.counter.linePos(offset);
    return { pair, first: line - 1, indent: col - 1 };
  });
  return positions.map(({ pair, first, indent }, index) => {
    if (lines[first]?.slice(0, indent).trim() !== '') throw notByLine();
    const next = positions[index + 1]?.first ?? lines.length;
    let last = next - 1;
    while (last > first && isBetweenEntries(lines[last] ?? '', indent)) last -= 1;
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    return { key, first, last, indent, comment: commentBehind(pair, text) };
  });
}

function isBetweenEntries(line: string, indent: number): boolean {
  const content = line.trimStart();
  return content === '' || (content.startsWith('#') && line.length - content.length <= indent);
}

/** The comment on the line where a value ends or, for a block below its key, on the key's line. */
function commentBehind({ key, value }: Pair, text: string): string {
  if (!isNode(value)) return '';
  const isBlock = isCollection(value) && value.flow !== true;
  if (isScalar(value) && (value.type === 'BLOCK_FOLDED' || value.type === 'BLOCK_LITERAL')) return '';
  const from = isBlock && isNode(key) ? text.indexOf(':', key.range?.[1] ?? 0) + 1 : (value.range?.[1] ?? 0);
  const lineEnd = text.indexOf('\n', from);
  const behind = text.slice(from, lineEnd < 0 ? text.length : lineEnd).trimEnd();
  return /^[ \t]+#/.test(behind) ? behind : '';
}

function notByLine(): SkillwrightError {
  const detail = 'SKILL.md was not changed: its keys do not stand on lines of their own';
  return new SkillwrightError('skill_md_invalid', { detail });
}
