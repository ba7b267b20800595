import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { emptyRecord } from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';
import { splitToolList } from './tool-list.js';

/** A field's typed value; null where nothing usable is declared. Findings without a place: the caller adds it. */
export interface Reading<T> {
  readonly value: T | null;
  readonly findings: readonly Finding[];
}

const NOTHING = { value: null, findings: [] } as const;

/** Names that an older tool set used for what two tools do today. */
const LEGACY_TOOLS: Readonly<Record<string, string>> = {
  read_workspace_file: 'execute_shell_command',
  update_workspace_file: 'diff_patch_workspace_file',
  delete_workspace_file: 'execute_shell_command',
};

export function readText(value: JsonValue): Reading<string> {
  if (value === null) return NOTHING;
  if (typeof value !== 'string') return wrongType('text', value);
  const text = value.trim();
  return text === '' ? NOTHING : { value: text, findings: [] };
}

/** A list, or one text with commas between the items. */
export function readList(value: JsonValue): Reading<string[]> {
  if (value === null) return NOTHING;
  if (typeof value === 'string') return { value: trimmed(value.split(',')), findings: [] };
  if (!Array.isArray(value)) return wrongType('a list', value);
  const texts = value.filter((item) => typeof item === 'string');
  const odd = value.find((item) => typeof item !== 'string');
  return {
    value: trimmed(texts),
    findings: odd === undefined ? [] : wrongType('a list of texts', odd).findings,
  };
}

/** A list, or the text form of the open specification. */
export function readTools(value: JsonValue): Reading<string[]> {
  const reading = typeof value === 'string' ? { value: splitToolList(value), findings: [] } : readList(value);
  const findings = [...reading.findings];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (item !== null && (typeof item !== 'string' || item.trim() !== '')) continue;
      const message = `Entry ${index + 1} of allowed-tools is blank.`;
      findings.push(
        finding('field_blank', { severity: 'warning', field: `allowed-tools[${index}]`, message }),
      );
    }
  }
  for (const tool of reading.value ?? []) {
    const today = Object.hasOwn(LEGACY_TOOLS, tool) ? LEGACY_TOOLS[tool] : undefined;
    if (today === undefined) continue;
    findings.push(finding('tool_name_legacy', { found: quoteFound(tool), hint: `Use ${today}.` }));
  }
  return { value: reading.value, findings };
}

export function readMap(value: JsonValue): Reading<Readonly<Record<string, JsonValue>>> {
  if (value === null) return NOTHING;
  return isRecord(value) ? { value, findings: [] } : wrongType('a mapping', value);
}

/** The open specification has texts only; other values are kept. */
export function readMetadata(value: JsonValue): Reading<Readonly<Record<string, JsonValue>>> {
  const reading = readMap(value);
  const nested = Object.entries(reading.value ?? {}).filter(
    ([, item]) => typeof item === 'object' && item !== null,
  );
  const findings = nested.map(([key]) => finding('metadata_not_text', { field: `metadata.${key}` }));
  return { value: reading.value, findings: [...reading.findings, ...findings] };
}

/** Tool -> patterns; one pattern may stand without brackets. */
export function readPermissions(value: JsonValue): Reading<Readonly<Record<string, readonly string[]>>> {
  const map = readMap(value);
  if (map.value === null) return { value: null, findings: map.findings };
  const permissions = emptyRecord() as Record<string, string[]>;
  const findings: Finding[] = [];
  for (const [tool, patterns] of Object.entries(map.value)) {
    const reading = readList(typeof patterns === 'string' ? [patterns] : patterns);
    permissions[tool] = reading.value ?? [];
    for (const remark of reading.findings) findings.push({ ...remark, field: `permissions.${tool}` });
  }
  return { value: permissions, findings };
}

const TRUE = /^true$/i;
const FALSE = /^false$/i;

/** `true` or `false`; anything else is unclear, and the caller takes what hides more. */
export function readFlag(value: JsonValue): Reading<boolean> {
  if (typeof value === 'string') {
    const text = value.trim();
    if (TRUE.test(text)) return { value: true, findings: [] };
    if (FALSE.test(text)) return { value: false, findings: [] };
  }
  const facts = { found: describe(value), hint: 'Write true or false.' };
  return { value: null, findings: [finding('field_value_unclear', facts)] };
}

function wrongType(expected: string, value: JsonValue): { value: null; findings: Finding[] } {
  const message = `The value must be ${expected}.`;
  return {
    value: null,
    findings: [finding('field_type', { severity: 'warning', message, found: describe(value) })],
  };
}

function describe(value: JsonValue): string {
  if (value === null) return 'nothing';
  return quoteFound(typeof value === 'string' ? value : JSON.stringify(value));
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

function isRecord(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
