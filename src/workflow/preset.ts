import { z } from 'zod';
import { finding, type Finding, quoteFound } from '../kernel/finding.js';
import { type FindingCode } from '../kernel/finding-codes.js';
import { findUnstorable } from '../kernel/storable-json.js';
import { type JsonValue } from '../skills/format/skill-document.js';

const MAX_LABEL = 256;

/**
 * What a client sends. Keys that we do not know are kept. `selected_skills` has three meanings that never
 * turn into each other: absent, null, and a list that may be empty.
 */
export const presetSchema = z.looseObject({
  id: z.guid().toLowerCase().optional(),
  label: z.string().trim().min(1).max(MAX_LABEL),
  query: z.string().nullish(),
  selected_skills: z
    .array(z.string().trim().min(1))
    .transform((refs) => [...new Set(refs)])
    .nullish(),
});

/** A preset without what the service itself sets. */
export interface PresetFields {
  readonly label: string;
  readonly query?: string | null;
  /** References in the order in which they were chosen, each once. */
  readonly selected_skills?: readonly string[] | null;
  readonly [key: string]: JsonValue | readonly string[] | undefined;
}

/** A workflow's defaults. */
export interface Preset extends PresetFields {
  /** UUID in lower case. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
}

export type ParsedPreset =
  | { readonly kind: 'ok'; readonly id: string | null; readonly fields: PresetFields }
  | { readonly kind: 'invalid'; readonly issues: readonly Finding[] };

/**
 * Judges a preset as sent. Whether the named skills exist is not asked: a preset that names a missing skill
 * can still be edited, and a step says what it did not get.
 *
 * @example parsePreset({ label: 'Nightly', selected_skills: ['pdf'] }) // { kind: 'ok', id: null, fields: … }
 */
export function parsePreset(body: unknown): ParsedPreset {
  const unstorable = findUnstorable(body);
  if (unstorable !== null) {
    const field = unstorable.pointer.slice(1);
    const message = field === '' ? unstorable.because : `${field}: ${unstorable.because}`;
    return invalid([finding('text_unstorable', { field, message })]);
  }
  const parsed = presetSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error.issues.map((issue) => issueFinding(issue, body)));
  const { id = null, ...sent } = parsed.data;
  return { kind: 'ok', id, fields: withoutTimes(sent) };
}

/** Lays the keys of a PATCH over a preset; a key that is not sent stays as it is. */
export function patchPreset(current: Preset, body: unknown): ParsedPreset {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return parsePreset(isObject ? { ...current, ...body } : body);
}

/** The id in its one spelling; null when the text is no UUID. */
export function presetId(text: string): string | null {
  return z.guid().toLowerCase().safeParse(text).data ?? null;
}

/** The times are answers, not input: a client may send back what it read. */
function withoutTimes(sent: Record<string, unknown>): PresetFields {
  const kept = Object.entries(sent).filter(([key]) => key !== 'created_at' && key !== 'updated_at');
  return Object.fromEntries(kept) as unknown as PresetFields;
}

function invalid(issues: readonly Finding[]): ParsedPreset {
  return { kind: 'invalid', issues };
}

function issueFinding(issue: z.core.$ZodIssue, body: unknown): Finding {
  const found = valueAt(body, issue.path);
  const field = issue.path.map(String).join('/');
  return finding(issueCode(issue, found), {
    severity: 'error',
    field,
    message: field === '' ? 'A preset is a JSON object.' : `${field}: ${expectation(issue)}`,
    ...(found === undefined ? {} : { found: quoteFound(JSON.stringify(found)) }),
  });
}

function issueCode(issue: z.core.$ZodIssue, found: unknown): FindingCode {
  if (found === undefined) return 'field_missing';
  if (issue.code === 'too_small') return 'field_blank';
  return issue.code === 'too_big' ? 'field_too_long' : 'field_type';
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'too_small') return 'it must not be blank';
  return issue.code === 'too_big' ? `at most ${String(issue.maximum)} characters` : 'expected a UUID';
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
