import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { emptyRecord } from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';
import { splitToolList } from './tool-list.js';

/** A field's typed value; null where nothing usable is declared. Findings without a place: the caller adds it. */
export interface Reading<T> {
  readonly value: T | null;
  readonly findings: readonly Finding[];
}

const NONE: readonly Finding[] = [];
const NOTHING = { value: null, findings: NONE } as const;

/** Names that an older tool set used for what two tools do today. */
const LEGACY_TOOLS: ReadonlyMap<string, string> = new Map([
  ['read_workspace_file', 'execute_shell_command'],
  ['update_workspace_file', 'diff_patch_workspace_file'],
  ['delete_workspace_file', 'execute_shell_command'],
]);

export function readText(value: JsonValue): Reading<string> {
  if (value === null) return NOTHING;
  if (typeof value !== 'string') return wrongType('text', value);
  const text = value.trim();
  return text === '' ? NOTHING : { value: text, findings: NONE };
}

/** A list, or one text with commas between the items. Blank items are left out. */
export function readList(value: JsonValue): Reading<string[]> {
  if (value === null) return NOTHING;
  if (typeof value !== 'string' && !Array.isArray(value)) return wrongType('a list', value);
  const items: string[] = [];
  let findings: readonly Finding[] = NONE;
  for (const item of typeof value === 'string' ? value.split(',') : value) {
    if (typeof item !== 'string') findings = wrongType('a list of texts', item).findings;
    else if (item.trim() !== '') items.push(item.trim());
  }
  return { value: items, findings };
}

/** A list, or the text form of the open specification. */
export function readTools(value: JsonValue): Reading<string[]> {
  const reading =
    typeof value === 'string' ? { value: splitToolList(value), findings: NONE } : readList(value);
  const blank = Array.isArray(value) ? value.findIndex((item) => item === '' || item === null) : -1;
  const legacy = reading.value?.filter((tool) => LEGACY_TOOLS.has(tool)) ?? [];
  if (blank < 0 && legacy.length === 0) return reading;
  const findings = [...reading.findings];
  if (blank >= 0) {
    const message = `Entry ${blank + 1} of allowed-tools is blank.`;
    findings.push(finding('field_blank', { severity: 'warning', field: `allowed-tools[${blank}]`, message }));
  }
  for (const tool of legacy) {
    const hint = `Use ${LEGACY_TOOLS.get(tool)}.`;
    findings.push(finding('tool_name_legacy', { found: quoteFound(tool), hint }));
  }
  return { value: reading.value, findings };
}

export function readMap(value: JsonValue): Reading<Readonly<Record<string, JsonValue>>> {
  if (value === null) return NOTHING;
  return isRecord(value) ? { value, findings: NONE } : wrongType('a mapping', value);
}

/** The open specification has texts only; other values are kept. */
export function readMetadata(value: JsonValue): Reading<Readonly<Record<string, JsonValue>>> {
  const reading = readMap(value);
  const nested: Finding[] = [];
  for (const key in reading.value) {
    const item = reading.value[key];
    if (typeof item === 'object' && item !== null)
      nested.push(finding('metadata_not_text', { field: `metadata.${key}` }));
  }
  return nested.length === 0 ? reading : { value: reading.value, findings: nested };
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
    if (TRUE.test(text)) return { value: true, findings: NONE };
    if (FALSE.test(text)) return { value: false, findings: NONE };
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

function isRecord(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
