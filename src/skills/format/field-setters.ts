import { finding, type Finding } from '../../kernel/finding.js';
import {
  readFlag,
  readList,
  readMap,
  readMetadata,
  readPermissions,
  readText,
  readTools,
  type Reading,
} from './field-values.js';
import { type JsonValue, type SkillFrontmatter } from './skill-document.js';
import { checkSkillName, nameFindings } from './skill-name.js';

const DESCRIPTION_ADVISED = 1024;
const DESCRIPTION_MAX = 8192;
const COMPATIBILITY_ADVISED = 500;

/** A new one for each file: copying a frozen one takes five times as long. */
export const emptyDraft = (): FrontmatterDraft => ({
  name: null,
  slug: null,
  description: null,
  author: null,
  tags: null,
  license: null,
  compatibility: null,
  metadata: null,
  version: null,
  argumentHint: null,
  allowedTools: null,
  permissions: null,
  model: null,
  disableModelInvocation: false,
  userInvocable: null,
  effort: null,
  context: null,
  agent: null,
  deps: null,
  excludeDeps: null,
  requires: null,
});

/** Nothing declared: what a file without readable frontmatter has. */
export const NOTHING_DECLARED: SkillFrontmatter = Object.freeze(emptyDraft());

export type FrontmatterDraft = { -readonly [Field in keyof SkillFrontmatter]: SkillFrontmatter[Field] };

/** Sets a field from its value and says what is odd about it. */
type Setter = (draft: FrontmatterDraft, value: JsonValue) => readonly Finding[];

/** Makes the setter of a field that needs no rule beyond its type. */
function plain<Key extends keyof FrontmatterDraft>(
  key: Key,
  read: (value: JsonValue) => Reading<NonNullable<FrontmatterDraft[Key]>>,
): Setter {
  return (draft, value) => {
    const reading = read(value);
    if (reading.value !== null) draft[key] = reading.value;
    return reading.findings;
  };
}

/** The known fields by their spelling in a file. */
export const SETTERS: Readonly<Record<string, Setter>> = {
  name: setName,
  slug: plain('slug', readText),
  description: setDescription,
  author: plain('author', readText),
  tags: plain('tags', readList),
  license: plain('license', readText),
  compatibility: setCompatibility,
  metadata: plain('metadata', readMetadata),
  version: plain('version', readText),
  'argument-hint': plain('argumentHint', readText),
  'allowed-tools': plain('allowedTools', readTools),
  permissions: plain('permissions', readPermissions),
  model: plain('model', readText),
  'disable-model-invocation': setModelInvocation,
  'user-invocable': setUserInvocable,
  effort: plain('effort', readText),
  context: plain('context', readText),
  agent: plain('agent', readText),
  deps: plain('deps', readList),
  exclude_deps: plain('excludeDeps', readList),
  requires: plain('requires', readMap),
};

function setName(draft: FrontmatterDraft, value: JsonValue): readonly Finding[] {
  if (value !== null && typeof value !== 'string') return asErrors(readText(value).findings);
  const check = checkSkillName(value ?? '');
  draft.name = check.name === '' ? null : check.name;
  return nameFindings(check);
}

function setDescription(draft: FrontmatterDraft, value: JsonValue): readonly Finding[] {
  const reading = readText(value);
  draft.description = reading.value;
  if (reading.findings.length > 0) return asErrors(reading.findings);
  if (reading.value === null) return [finding('field_blank')];
  const length = lengthOver(reading.value, DESCRIPTION_ADVISED);
  if (length === null) return [];
  if (length <= DESCRIPTION_MAX) return [tooLong(length, DESCRIPTION_ADVISED)];
  return [{ ...tooLong(length, DESCRIPTION_MAX), severity: 'error' }];
}

function setCompatibility(draft: FrontmatterDraft, value: JsonValue): readonly Finding[] {
  const reading = readText(value);
  draft.compatibility = reading.value;
  const length = reading.value === null ? null : lengthOver(reading.value, COMPATIBILITY_ADVISED);
  return length === null ? reading.findings : [tooLong(length, COMPATIBILITY_ADVISED)];
}

/** Only a clear "false" leaves a skill visible to the model. */
function setModelInvocation(draft: FrontmatterDraft, value: JsonValue): readonly Finding[] {
  const reading = readFlag(value);
  draft.disableModelInvocation ||= reading.value ?? true;
  return reading.findings;
}

/** Three states: declared true, declared false, not declared. An unclear value hides, like false. */
function setUserInvocable(draft: FrontmatterDraft, value: JsonValue): readonly Finding[] {
  if (value === null) return [];
  const reading = readFlag(value);
  draft.userInvocable = (draft.userInvocable ?? true) && (reading.value ?? false);
  return reading.findings;
}

/** Length in code points when it is over the limit, else null. */
function lengthOver(text: string, limit: number): number | null {
  if (text.length <= limit) return null;
  const length = Array.from(text).length;
  return length > limit ? length : null;
}

function tooLong(length: number, limit: number): Finding {
  return finding('field_too_long', { message: `The text has ${length} characters; ${limit} is the limit.` });
}

/** Without a usable name or description there is nothing to offer. */
function asErrors(findings: readonly Finding[]): Finding[] {
  return findings.map((remark) => ({ ...remark, severity: 'error' }));
}
