import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../kernel/plain-object.js';
import { memberOf, type JsonArrayNode, type JsonNode, type JsonObjectNode } from './json-text.js';

/** Replaces the text from `start` up to `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; whatever no edit covers stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return ordered.reduce(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  );
}

/** Edits one JSON text in its own style: indentation, line ends and spacing are taken from what stands there. */
export class JsonEditor {
  private readonly style: JsonStyle;

  constructor(private readonly text: string) {
    this.style = styleOf(text);
  }

  /** Gives the member this value: replaced where it stands, else added as the last one. */
  setMember(node: JsonObjectNode, key: string, value: unknown): TextEdit[] {
    const member = memberOf(node, key);
    if (member) return this.setValue(member.value, value);
    const { depth, flat } = this.layoutInside(node);
    const source = `${JSON.stringify(key)}:${this.style.space}${this.write(value, depth, flat)}`;
    return [this.append(node, node.members.at(-1)?.value, source, depth)];
  }

  /** Adds a value behind the last item. */
  appendItem(node: JsonArrayNode, value: unknown): TextEdit[] {
    const { depth, flat } = this.layoutInside(node);
    return [this.append(node, node.items.at(-1), this.write(value, depth, flat), depth)];
  }

  /** Turns a value into another one and rewrites only the parts that differ. */
  setValue(node: JsonNode, value: unknown): TextEdit[] {
    if (isDeepStrictEqual(this.read(node), plain(value))) return [];
    if (node.kind === 'object' && isPlainObject(value)) return this.mergeObject(node, value);
    if (node.kind === 'array' && Array.isArray(value)) return this.mergeArray(node, value);
    return [{ start: node.start, end: node.end, text: this.write(value, this.depthOf(node)) }];
  }

  private mergeObject(node: JsonObjectNode, value: Record<string, unknown>): TextEdit[] {
    const kept = node.members.every(({ key }) => Object.hasOwn(value, key) && value[key] !== undefined);
    const repeated = new Set(node.members.map(({ key }) => key)).size < node.members.length;
    const added = Object.keys(value).filter((key) => value[key] !== undefined && !memberOf(node, key));
    // Removing, repeated keys and several new keys would need edits that meet; the object is written anew then,
    // and what did not change inside it still keeps its text.
    if (!kept || repeated || added.length > 1) {
      return [{ start: node.start, end: node.end, text: this.writeObject(node, value) }];
    }
    return Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : this.setMember(node, key, item),
    );
  }

  private mergeArray(node: JsonArrayNode, value: readonly unknown[]): TextEdit[] {
    const shared = node.items.map((item, index) => ({ item, next: value[index] }));
    if (
      value.length === node.items.length &&
      shared.every(({ item, next }) => sameIdentity(this.read(item), next))
    ) {
      return shared.flatMap(({ item, next }) => this.setValue(item, next));
    }
    return [{ start: node.start, end: node.end, text: this.writeArray(node, value) }];
  }

  private writeObject(node: JsonObjectNode, value: Record<string, unknown>): string {
    const depth = this.depthOf(node);
    const parts = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => {
        const old = memberOf(node, key)?.value;
        const source = old ? this.rewritten(old, item) : this.write(item, depth + 1);
        return `${JSON.stringify(key)}:${this.style.space}${source}`;
      });
    return this.wrap('{', parts, '}', depth);
  }

  private writeArray(node: JsonArrayNode, value: readonly unknown[]): string {
    const depth = this.depthOf(node);
    if (value.every(isScalar)) return this.write(value, depth);
    const left = [...node.items];
    const parts = value.map((item) => {
      const index = left.findIndex((old) => sameIdentity(this.read(old), item));
      const [old] = index < 0 ? [] : left.splice(index, 1);
      return old ? this.rewritten(old, item) : this.write(item, depth + 1);
    });
    return this.wrap('[', parts, ']', depth);
  }

  /** The node's own text with its differences written in. */
  private rewritten(node: JsonNode, value: unknown): string {
    const edits = this.setValue(node, value).map((edit) => ({
      ...edit,
      start: edit.start - node.start,
      end: edit.end - node.start,
    }));
    return applyEdits(this.text.slice(node.start, node.end), edits);
  }

  private append(
    node: JsonObjectNode | JsonArrayNode,
    last: JsonNode | undefined,
    source: string,
    depth: number,
  ): TextEdit {
    if (!last) {
      const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
      return { start: node.start, end: node.end, text: this.wrap(open, [source], close, depth - 1) };
    }
    const separator = this.isMultiline(node) ? `,${this.line(depth)}` : `,${this.style.space}`;
    return { start: last.end, end: last.end, text: separator + source };
  }

  /** `flat`: everything on one line, because what stands around it does. */
  private write(value: unknown, depth: number, flat = false): string {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      // Lists of plain values stand on one line, as people write them.
      const oneLine = flat || items.every(isScalar);
      const parts = items.map((item) => this.write(item, depth + 1, oneLine));
      return this.wrap('[', parts, ']', depth, oneLine);
    }
    if (!isPlainObject(value)) return JSON.stringify(value);
    const parts = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${JSON.stringify(key)}:${this.style.space}${this.write(item, depth + 1, flat)}`);
    return this.wrap('{', parts, '}', depth, flat);
  }

  private wrap(open: string, parts: readonly string[], close: string, depth: number, flat = false): string {
    if (parts.length === 0) return open + close;
    if (flat || this.style.lineEnd === '') return open + parts.join(`,${this.style.space}`) + close;
    const inner = this.line(depth + 1);
    return open + inner + parts.join(`,${inner}`) + this.line(depth) + close;
  }

  private layoutInside(node: JsonObjectNode | JsonArrayNode): { depth: number; flat: boolean } {
    const empty = node.kind === 'object' ? node.members.length === 0 : node.items.length === 0;
    return { depth: this.depthOf(node) + 1, flat: !empty && !this.isMultiline(node) };
  }

  private isMultiline(node: JsonNode): boolean {
    return this.text.slice(node.start, node.end).includes('\n');
  }

  private line(depth: number): string {
    return this.style.lineEnd === '' ? '' : this.style.lineEnd + this.style.indent.repeat(depth);
  }

  /** How deep the node's line is indented, which is where its own closing bracket stands. */
  private depthOf(node: JsonNode): number {
    if (this.style.indent === '') return 0;
    const lineStart = this.text.lastIndexOf('\n', node.start - 1) + 1;
    const blank = /^[ \t]*/.exec(this.text.slice(lineStart, node.start))?.[0] ?? '';
    return Math.floor(blank.length / this.style.indent.length);
  }

  private read(node: JsonNode): unknown {
    return JSON.parse(this.text.slice(node.start, node.end));
  }
}

interface JsonStyle {
  /** Empty for a text on one line. */
  readonly lineEnd: '' | '\n' | '\r\n';
  readonly indent: string;
  /** What stands behind a colon or a comma on the same line. */
  readonly space: '' | ' ';
}

function styleOf(text: string): JsonStyle {
  const lineEnd = /\r?\n(?=[ \t]*\S)/.exec(text)?.[0] ?? '';
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? (lineEnd === '' ? '' : '  ');
  const space = /"[ \t]*:\S/.test(text) ? '' : ' ';
  return { lineEnd: lineEnd === '\r\n' ? '\r\n' : lineEnd === '' ? '' : '\n', indent, space };
}

/** Steps are the same step by their id; other values by being equal. */
function sameIdentity(old: unknown, next: unknown): boolean {
  if (isPlainObject(old) && isPlainObject(next) && typeof old['id'] === 'string')
    return old['id'] === next['id'];
  return (
    isScalar(old) === isScalar(next) &&
    (isDeepStrictEqual(old, plain(next)) || (isPlainObject(old) && isPlainObject(next)))
  );
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
