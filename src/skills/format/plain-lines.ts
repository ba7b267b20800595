import { isRecoverable } from './field-names.js';
import { emptyRecord, UNSAFE_KEYS, type KeyPlace, type ParsedMapping } from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';
import { isBlankFrom, isKeyCode, isKeyStart, isOdd, readInline, readPlain, SPACE } from './plain-scalars.js';

/**
 * The fast way through ordinary frontmatter: one linear pass that accepts a line only where the result
 * provably equals YAML 1.2. At the first doubt it gives up on the whole block, and YAML reads it: the two are
 * never mixed within a file, and `plain-lines.spec.ts` holds them together with random documents.
 *
 * @param text the block between the fences, line breaks as LF.
 * @param firstLine 1-based line of the block in the file.
 */
export function parsePlainLines(text: string, firstLine: number): ParsedMapping | null {
  const lines = new LineReader(text, firstLine);
  const keys = emptyRecord();
  const places: KeyPlace[] = [];
  while (!lines.done) {
    if (lines.skipIgnorable()) continue;
    const { line } = lines;
    const key = lines.readKey();
    if (key === null || UNSAFE_KEYS.has(key) || key in keys) return null;
    const value = lines.readValue(key);
    if (value === undefined) return null;
    keys[key] = value;
    places.push({ key, line, column: 1, endColumn: key.length + 1 });
  }
  return { kind: 'mapping', keys, places, findings: [], escapes: false };
}

/** A cursor over the block. `undefined` and -1 mean: not provable here, let YAML decide. */
class LineReader {
  line: number;
  private at = 0;
  private end: number;

  constructor(
    private readonly text: string,
    firstLine: number,
  ) {
    this.line = firstLine;
    this.end = this.lineEnd(0);
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Passes an empty line or a comment in column one. */
  skipIgnorable(): boolean {
    if (this.at !== this.end && this.text[this.at] !== '#') return false;
    this.nextLine();
    return true;
  }

  /** A key and its colon at the cursor; afterwards the cursor stands behind the colon. */
  readKey(): string | null {
    const { text } = this;
    let at = this.at;
    if (!isKeyStart(text.charCodeAt(at))) return null;
    while (isKeyCode(text.charCodeAt(at))) at += 1;
    if (text[at] !== ':' || (at + 1 < this.end && text.charCodeAt(at + 1) !== SPACE)) return null;
    const key = text.slice(this.at, at);
    this.at = at + 1;
    return key;
  }

  readValue(key: string): JsonValue | undefined {
    const { text, end } = this;
    let at = this.at;
    while (text.charCodeAt(at) === SPACE) at += 1;
    if (at >= end) return this.readBelow(0, 1);
    const mark = text[at];
    if (mark === '>' || mark === '|') return this.readBlock(at);
    // A text field in brackets is a text for its author; YAML's path keeps its source.
    if (mark === '[' && isRecoverable(key)) return undefined;
    const value = readInline(text, at, end, true);
    this.nextLine();
    const isWrapped = !this.done && text.charCodeAt(this.at) === SPACE;
    return isWrapped ? this.readWrapped(readPlain(text, at, end)) : value;
  }

  private readOnLine(): JsonValue | undefined {
    const value = readInline(this.text, this.at, this.end, true);
    this.nextLine();
    return value;
  }

  /** The further lines of a plain text, which YAML joins with one blank. */
  private readWrapped(first: string | undefined): string | undefined {
    let value = first;
    while (value !== undefined && !this.done && this.text.charCodeAt(this.at) === SPACE) {
      const part = readPlain(this.text, this.at + this.indentation(), this.end);
      value = part === undefined ? undefined : `${value} ${part}`;
      this.nextLine();
    }
    return value;
  }

  private nextLine(): void {
    this.at = this.end + 1;
    this.end = this.lineEnd(this.at);
    this.line += 1;
  }

  private lineEnd(from: number): number {
    const end = this.text.indexOf('\n', from);
    return end < 0 ? this.text.length : end;
  }

  private indentation(): number {
    let at = this.at;
    while (this.text.charCodeAt(at) === SPACE) at += 1;
    return at - this.at;
  }

  /** A list or map on the lines below a key that stands at `parent`, or null where the next key follows at once. */
  private readBelow(parent: number, depth: number): JsonValue | undefined {
    this.nextLine();
    if (this.done) return null;
    const indent = this.indentation();
    const first = this.text.charCodeAt(this.at + indent);
    if (first === DASH) return indent < parent ? undefined : this.readList(indent);
    if (!isKeyStart(first) || depth > MAX_DEPTH) return undefined;
    return indent > parent ? this.readMap(indent, depth) : null;
  }

  private readList(indent: number): JsonValue | undefined {
    const items: JsonValue[] = [];
    while (!this.done && this.indentation() === indent && this.text.charCodeAt(this.at + indent) === DASH) {
      const dash = this.at + indent;
      if (this.text.charCodeAt(dash + 1) !== SPACE) return undefined;
      const item = readInline(this.text, dash + 2, this.end, false);
      if (item === undefined) return undefined;
      items.push(item);
      this.nextLine();
    }
    return items;
  }

  private readMap(indent: number, depth: number): JsonValue | undefined {
    const map = emptyRecord();
    while (!this.done && this.indentation() === indent) {
      this.at += indent;
      if (this.at >= this.end) return undefined;
      const key = this.readKey();
      if (key === null || UNSAFE_KEYS.has(key) || key in map) return undefined;
      const value = isBlankFrom(this.text, this.at, this.end)
        ? this.readBelow(indent, depth + 1)
        : this.readOnLine();
      if (value === undefined) return undefined;
      map[key] = value;
    }
    return map;
  }

  /** `|`, `|-`, `>`, `>-`, whose lines share one indentation; anything finer is for YAML. */
  private readBlock(header: number): string | undefined {
    const { text } = this;
    const folded = text[header] === '>';
    const strip = text[header + 1] === '-';
    if (header + (strip ? 2 : 1) !== this.end) return undefined;
    this.nextLine();
    const indent = this.indentation();
    if (indent === 0 || this.at + indent >= this.end) return undefined;
    let value = '';
    let breaks = 0;
    while (!this.done) {
      if (this.at === this.end) {
        breaks += 1;
        this.nextLine();
        continue;
      }
      const spaces = this.indentation();
      if (spaces === 0) break;
      const from = this.at + indent;
      if (spaces < indent || from >= this.end) return undefined;
      if (spaces > indent && (folded || this.at + spaces >= this.end)) return undefined;
      if (!isBlockLine(text, from, this.end, folded)) return undefined;
      if (value !== '') value += lineJoin(folded, breaks);
      value += text.slice(from, this.end);
      breaks = 0;
      this.nextLine();
    }
    return strip ? value : `${value}\n`;
  }
}

const DASH = 0x2d;
/** Maps within maps that are worth it; deeper ones go to YAML. */
const MAX_DEPTH = 3;

function lineJoin(folded: boolean, emptyLines: number): string {
  if (!folded) return '\n'.repeat(emptyLines + 1);
  return emptyLines === 0 ? ' ' : '\n'.repeat(emptyLines);
}

/** Only printable text; a folded line ending in a blank would keep it, so YAML decides there. */
function isBlockLine(text: string, from: number, end: number, folded: boolean): boolean {
  if (folded && text.charCodeAt(end - 1) === SPACE) return false;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < SPACE || isOdd(code)) return false;
  }
  return true;
}
