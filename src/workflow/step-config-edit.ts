import { isPlainObject } from '../kernel/plain-object.js';
import { applyEdits, JsonEditor } from './json-edit.js';
import { memberOf, parseJsonText, valueOf, type JsonNode } from './json-text.js';

/** A step as callers send it: any keys of the file, those of skills among them. */
export type StepPatch = Readonly<Record<string, unknown>>;

const NEW_FILE = '{\n  "steps": []\n}\n';
const SKILL_KEYS = ['enabled_skills', 'skill_modes'] as const;

/**
 * Writes the patch into the text of step_config.json: objects are merged, everything else is replaced, `null` and
 * `[]` are written as such. A step that is not there is added at the end. `enabled_skills` and `skill_modes` may
 * stand at the top of the patch; they are written into `agent_configs`. Bytes of other steps do not change.
 * Null when the text is no step_config.json that could be edited.
 *
 * @example patchStepText(text, 's1', { agent_configs: { enabled_skills: [] } })
 */
export function patchStepText(text: string | null, stepId: string, patch: StepPatch): string | null {
  const source = text ?? NEW_FILE;
  const parsed = parseJsonText(source);
  const list = parsed.kind === 'ok' ? memberOf(parsed.root, 'steps')?.value : undefined;
  if (list?.kind !== 'array') return null;
  const editor = new JsonEditor(source);
  const wanted = liftSkillKeys(patch);
  const node = list.items.find((item) => idOf(source, item) === stepId);
  const edits = node
    ? editor.setValue(node, merge(valueOf(source, node), wanted))
    : editor.appendItem(list, { id: stepId, ...wanted });
  return applyEdits(source, edits);
}

/** Writes the whole value; what does not differ from the text keeps its bytes. */
export function replaceStepConfigText(text: string | null, value: unknown): string {
  const parsed = text === null ? null : parseJsonText(text);
  if (text === null || parsed?.kind !== 'ok') return `${JSON.stringify(value, null, 2)}\n`;
  return applyEdits(text, new JsonEditor(text).setValue(parsed.root, value));
}

function liftSkillKeys(patch: StepPatch): StepPatch {
  const lifted = Object.fromEntries(SKILL_KEYS.filter((key) => key in patch).map((key) => [key, patch[key]]));
  if (Object.keys(lifted).length === 0) return patch;
  const rest = Object.fromEntries(Object.entries(patch).filter(([key]) => !(key in lifted)));
  return { ...rest, agent_configs: merge(rest['agent_configs'] ?? {}, lifted) };
}

function merge(old: unknown, patch: unknown): unknown {
  if (!isPlainObject(old) || !isPlainObject(patch)) return patch;
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(patch)) merged.set(key, merge(merged.get(key), value));
  return Object.fromEntries(merged);
}

function idOf(text: string, node: JsonNode): string | null {
  const id = memberOf(node, 'id')?.value;
  const value = id === undefined ? null : valueOf(text, id);
  return typeof value === 'string' ? value.trim() : null;
}
