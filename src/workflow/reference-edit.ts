import { parseSkillRef } from '../kernel/slug.js';
import { applyEdits, type TextEdit } from './json-edit.js';
import { memberOf, parseJsonText, valueOf, type JsonMember, type JsonNode } from './json-text.js';

/** What becomes of a reference as it is written: another text, nothing (null), or it stays (the same text). */
export type ReferenceChange = (ref: string) => string | null;

/** Sends references of one slug to another; pins (`slug@3`, `slug@label`) stay. */
export function retargeting(from: string, to: string): ReferenceChange {
  return (ref) => {
    const parsed = parseSkillRef(ref);
    if (parsed?.address !== from) return ref;
    return parsed.target.kind === 'current' ? to : to + parsed.ref.slice(parsed.ref.lastIndexOf('@'));
  };
}

/** Takes references away. */
export function detaching(isGone: (ref: string) => boolean): ReferenceChange {
  return (ref) => (isGone(ref) ? null : ref);
}

/** The list after the change, each reference once; the same list when it names nothing that changes. */
export function changeReferences(refs: readonly string[], change: ReferenceChange): readonly string[] {
  const changed = refs.map(change);
  if (changed.every((ref, at) => ref === refs[at])) return refs;
  return [...new Set(changed.filter((ref) => ref !== null))];
}

export interface ChangedConfig {
  readonly text: string;
  /** Ids of the steps whose list or modes changed. */
  readonly steps: readonly string[];
  /** Ids of the steps whose list lost its last reference. */
  readonly emptied: readonly string[];
}

/**
 * Changes the references in the text of step_config.json and no other byte; an emptied list stays `[]`. Null when
 * nothing changes or the text is no step_config.json.
 *
 * @example changeConfigReferences(text, retargeting('pdf', 'pdf-tools'))?.steps // ['report']
 */
export function changeConfigReferences(text: string, change: ReferenceChange): ChangedConfig | null {
  const parsed = parseJsonText(text);
  const list = parsed.kind === 'ok' ? memberOf(parsed.root, 'steps')?.value : undefined;
  if (list?.kind !== 'array') return null;
  const edits: TextEdit[] = [];
  const steps: string[] = [];
  const emptied: string[] = [];
  for (const [index, step] of list.items.entries()) {
    const configs = memberOf(step, 'agent_configs')?.value;
    const skills = listEdits(memberOf(configs, 'enabled_skills')?.value, change);
    const modes = keyEdits(text, memberOf(configs, 'skill_modes')?.value, change);
    if (skills.edits.length + modes.length === 0) continue;
    edits.push(...skills.edits, ...modes);
    const id = idOf(text, step) ?? `step ${index}`;
    steps.push(id);
    if (skills.isEmptied) emptied.push(id);
  }
  return edits.length === 0 ? null : { text: applyEdits(text, edits), steps, emptied };
}

/** A place in the text that holds a reference. */
interface Written {
  readonly ref: string | null;
  /** Of the whole item or member. */
  readonly start: number;
  readonly end: number;
  /** Of the JSON string. */
  readonly textStart: number;
  readonly textEnd: number;
}

function listEdits(
  node: JsonNode | undefined,
  change: ReferenceChange,
): { readonly edits: TextEdit[]; readonly isEmptied: boolean } {
  if (node?.kind !== 'array') return { edits: [], isEmptied: false };
  const written = node.items.map((item): Written => {
    const { start, end } = item;
    const ref = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : null;
    return { ref, start, end, textStart: start, textEnd: end };
  });
  const { edits, left } = editsOf(node, written, change);
  return { edits, isEmptied: edits.length > 0 && left === 0 };
}

/** Modes are filed under references. */
function keyEdits(text: string, node: JsonNode | undefined, change: ReferenceChange): TextEdit[] {
  if (node?.kind !== 'object') return [];
  const written = node.members.map((member): Written => {
    const { key: ref, keyStart: start, value } = member;
    return { ref, start, end: value.end, textStart: start, textEnd: keyEnd(text, member) };
  });
  return editsOf(node, written, change).edits;
}

function editsOf(
  { start, end }: JsonNode,
  written: readonly Written[],
  change: ReferenceChange,
): { readonly edits: TextEdit[]; readonly left: number } {
  const next = written.map(({ ref }) => (ref === null ? undefined : change(ref)));
  const isChanged = written.map(({ ref }, at) => ref !== null && next[at] !== ref);
  const untouched = new Set(written.flatMap(({ ref }, at) => (ref === null || isChanged[at] ? [] : [ref])));
  // What would stand twice is taken away instead.
  const isKept = written.map((_, at) => {
    const to = next[at];
    if (!isChanged[at] || to === undefined) return true;
    if (to === null || untouched.has(to)) return false;
    untouched.add(to);
    return true;
  });
  const left = isKept.filter(Boolean).length;
  if (left === 0 && written.length > 0) {
    return { edits: [{ start: start + 1, end: end - 1, text: '' }], left };
  }
  const firstKept = isKept.indexOf(true);
  const edits = written.flatMap((item, at): TextEdit[] => {
    if (isKept[at]) {
      const text = JSON.stringify(next[at]);
      return isChanged[at] ? [{ start: item.textStart, end: item.textEnd, text }] : [];
    }
    // With the comma behind it where nothing is kept before it, else with the comma before it.
    return at < firstKept
      ? [{ start: item.start, end: written[at + 1]?.start ?? item.end, text: '' }]
      : [{ start: written[at - 1]?.end ?? item.start, end: item.end, text: '' }];
  });
  return { edits, left };
}

function keyEnd(text: string, { keyStart }: JsonMember): number {
  let at = keyStart + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function idOf(text: string, step: JsonNode): string | null {
  const node = memberOf(step, 'id')?.value;
  const id = node === undefined ? null : valueOf(text, node);
  return typeof id === 'string' ? id.trim() : null;
}
