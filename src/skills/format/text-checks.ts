import { finding, type Finding } from '../../kernel/finding.js';
import { type ParsedMapping } from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';
import { controlTokenFindings, hiddenUnicodeFindings } from './visible-text.js';

// PostgreSQL stores neither, in text or in JSON, however they are escaped.
const UNSTORABLE = /[\0\p{Cs}]/u;

/**
 * Whether a block can hold anything that the checks of this file look for. Most blocks cannot: ASCII without
 * escapes and without the marks of control tokens.
 */
export function needsTextChecks(block: string, byteLength: number): boolean {
  if (block.length !== byteLength) return true;
  return ['\\', '\0', '<|', 'INST]', 'SYS>>'].some((mark) => block.includes(mark));
}

/** Whether the text is free of NUL and of halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** An error for each top-level key whose name or value, at any depth, cannot be stored. */
export function unstorableFindings({ keys, places }: ParsedMapping): Finding[] {
  return places
    .filter(({ key }) => !isStorable(key) || !allTexts(keys[key] ?? null).every(isStorable))
    .map(({ key, span }) => {
      const field = isStorable(key) ? { field: key } : {};
      return finding('text_unstorable', { ...field, line: span.line, column: span.column });
    });
}

/** Remarks on invisible characters and control tokens in the values, by field. */
export function promptTextFindings({ keys, places }: ParsedMapping): Finding[] {
  return places.flatMap(({ key, span }) => {
    const text = allTexts(keys[key] ?? null)
      .join(' ')
      .replaceAll('\n', ' ');
    const place = { field: key, firstLine: span.line };
    return [...hiddenUnicodeFindings(text, place), ...controlTokenFindings(text, place)];
  });
}

/** Every string inside a value, keys of mappings included. */
function allTexts(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...allTexts(item)]);
}
