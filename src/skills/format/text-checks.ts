import { finding, type Finding } from '../../kernel/finding.js';
import { type KeyPlace, type ParsedMapping } from './parsed-mapping.js';
import { type JsonValue, type SkillHead } from './skill-document.js';
import { controlTokenFindings, hiddenUnicodeFindings } from './visible-text.js';

// PostgreSQL stores neither, in text or in JSON, however they are escaped.
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Whether the text is free of NUL and of halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** An error for each top-level key whose name or value, at any depth, cannot be stored. */
export function unstorableFindings({ keys, places }: ParsedMapping): Finding[] {
  return places
    .filter(({ key }) => !isStorable(key) || !allTexts(keys[key] ?? null).every(isStorable))
    .map(({ key, line, column }) => {
      const field = isStorable(key) ? { field: key } : {};
      return finding('text_unstorable', { ...field, line, column });
    });
}

/** Remarks on invisible characters in the values, by field. */
export function hiddenValueFindings({ keys, places }: ParsedMapping): Finding[] {
  return places.flatMap(({ key, line }) =>
    allTexts(keys[key] ?? null).flatMap((text) =>
      hiddenUnicodeFindings(text, { field: key, firstLine: line }).slice(0, 1),
    ),
  );
}

/** Remarks on control tokens in the values, by field. */
export function controlValueFindings(keys: SkillHead['keys'], places: readonly KeyPlace[]): Finding[] {
  return places.flatMap(({ key, line }) =>
    allTexts(keys?.[key] ?? null).flatMap((text) =>
      controlTokenFindings(text, { field: key, firstLine: line }),
    ),
  );
}

/** Every string inside a value, keys of mappings included. */
function allTexts(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...allTexts(item)]);
}
