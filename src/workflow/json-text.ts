import { MAX_JSON_DEPTH } from '../kernel/storable-json.js';

/**
 * JSON with the place of every value, so that a file can be edited without being written anew.
 * `JSON.parse` decides what a scalar means; this file only finds where things stand.
 */

/** Offsets into the text, in UTF-16 units; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsonNode;
}

export interface JsonObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

export interface JsonArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

interface JsonScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

export type ParsedJson =
  | { readonly kind: 'ok'; readonly root: JsonNode }
  | { readonly kind: 'invalid'; readonly line: number; readonly column: number; readonly because: string };

const BLANK = /[ \t\r\n]*/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/**
 * Reads JSON text; never throws. Depth beyond 64 is refused, a byte-order mark is skipped.
 *
 * @example parseJsonText('{"a": [}') // { kind: 'invalid', line: 1, column: 8, because: 'a value is expected' }
 */
export function parseJsonText(text: string): ParsedJson {
  const reader = new Reader(text);
  try {
    return { kind: 'ok', root: reader.document() };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { kind: 'invalid', ...positionAt(text, error.offset), because: error.message };
  }
}

/** The last member of that name, which is the one that `JSON.parse` keeps. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** The node at a path of keys and indices, or the nearest one above it. */
export function nearestNode(root: JsonNode, path: readonly (string | number)[]): JsonNode {
  let node = root;
  for (const part of path) {
    const next =
      node.kind === 'array' && typeof part === 'number'
        ? node.items[part]
        : memberOf(node, String(part))?.value;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/** The value of a node as plain data. */
export function valueOf(text: string, node: JsonNode): unknown {
  return JSON.parse(text.slice(node.start, node.end));
}

/** 1-based line and column of an offset. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

class JsonProblem extends Error {
  constructor(
    readonly offset: number,
    because: string,
  ) {
    super(because);
  }
}

class Reader {
  private at: number;

  constructor(private readonly text: string) {
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  document(): JsonNode {
    const root = this.value(0);
    this.skipBlank();
    if (this.at < this.text.length) this.fail('nothing may follow the JSON value');
    return root;
  }

  private value(depth: number): JsonNode {
    this.skipBlank();
    if (depth > MAX_JSON_DEPTH) this.fail(`values are nested deeper than ${MAX_JSON_DEPTH}`);
    const first = this.text[this.at];
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    const start = this.at;
    const source = first === '"' ? this.string() : this.match(LITERAL);
    if (source === null) this.fail('a value is expected');
    return { kind: 'scalar', start, end: this.at, value: JSON.parse(source) as JsonScalarNode['value'] };
  }

  private object(depth: number): JsonObjectNode {
    const start = this.at++;
    const members: JsonMember[] = [];
    if (this.closes('}')) return { kind: 'object', start, end: this.at, members };
    for (;;) {
      this.skipBlank();
      const keyStart = this.at;
      if (this.text[keyStart] !== '"') this.fail('a key in double quotes is expected');
      const key = JSON.parse(this.string()) as string;
      this.skipBlank();
      if (this.text[this.at] !== ':') this.fail('":" is expected after the key');
      this.at += 1;
      members.push({ key, keyStart, value: this.value(depth + 1) });
      if (this.closes('}')) return { kind: 'object', start, end: this.at, members };
      this.comma('"," or "}" is expected');
    }
  }

  private array(depth: number): JsonArrayNode {
    const start = this.at++;
    const items: JsonNode[] = [];
    if (this.closes(']')) return { kind: 'array', start, end: this.at, items };
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.closes(']')) return { kind: 'array', start, end: this.at, items };
      this.comma('"," or "]" is expected');
    }
  }

  private string(): string {
    const source = this.match(STRING);
    if (source === null) this.fail('the text is not closed or holds a character that must be escaped');
    return source;
  }

  private closes(bracket: string): boolean {
    this.skipBlank();
    if (this.text[this.at] !== bracket) return false;
    this.at += 1;
    return true;
  }

  private comma(otherwise: string): void {
    if (this.text[this.at] !== ',') this.fail(otherwise);
    this.at += 1;
  }

  private skipBlank(): void {
    this.match(BLANK);
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private fail(because: string): never {
    throw new JsonProblem(this.at, because);
  }
}
