import { isNullWord } from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';

export const SPACE = 0x20;

// What an ASCII character may mean inside a plain scalar.
const ORDINARY = 0;
const REFUSED = 1;
const BLANK = 2;
const COLON = 3;
const HASH = 4;
const FLOW = 5;

const MEANING = new Uint8Array(128);
MEANING.fill(REFUSED, 0, 0x20);
MEANING[0x7f] = REFUSED;
MEANING[SPACE] = BLANK;
MEANING[0x3a] = COLON;
MEANING[0x23] = HASH;
for (const mark of '[]{},') MEANING[mark.charCodeAt(0)] = FLOW;

const KEY_START = new Uint8Array(128);
const KEY = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) KEY_START[code] = 1;
  if (/[A-Za-z0-9_-]/.test(character)) KEY[code] = 1;
}

/** Letters, which can start a key or a plain scalar whatever follows. */
export function isKeyStart(code: number): boolean {
  return KEY_START[code] === 1;
}

export function isKeyCode(code: number): boolean {
  return KEY[code] === 1;
}

/** A code point beyond ASCII that some reader takes for a line break, a mark or nothing. */
export function isOdd(code: number): boolean {
  return (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029 || code === 0xfeff;
}

/**
 * A value that stands whole on one line: plain, quoted without escapes, or a flat list in brackets.
 * `undefined`: not provable, let YAML decide.
 */
export function readInline(text: string, from: number, end: number, lists: boolean): JsonValue | undefined {
  let at = from;
  while (at < end && text.charCodeAt(at) === SPACE) at += 1;
  if (at >= end) return undefined;
  const mark = text[at];
  if (mark === '"' || mark === "'") {
    const close = quotedEnd(text, at, end);
    return close < 0 || !isBlankFrom(text, close + 1, end) ? undefined : text.slice(at + 1, close);
  }
  if (mark === '[') return lists ? readFlatList(text, at + 1, end) : undefined;
  const value = readPlain(text, at, end);
  return value !== undefined && isNullWord(value) ? null : value;
}

/** An unquoted text from its first character to the end of the line, without the blanks behind it. */
export function readPlain(text: string, from: number, end: number): string | undefined {
  return from < end && plainEnd(text, from, end, false) === end
    ? withoutBlanksBehind(text, from, end)
    : undefined;
}

function withoutBlanksBehind(text: string, from: number, stop: number): string {
  let end = stop;
  while (text.charCodeAt(end - 1) === SPACE) end -= 1;
  return text.slice(from, end);
}

/** Where a plain scalar stops: `end`, in a list also `,` or `]`; -1 where something else might be meant. */
function plainEnd(text: string, from: number, end: number, inList: boolean): number {
  const first = text.charCodeAt(from);
  if (!isKeyStart(first) && !(first >= 0x30 && first <= 0x39) && !(first >= 0xa0 && !isOdd(first))) return -1;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const meaning = code < 128 ? MEANING[code] : beyondAscii(code);
    if (meaning === ORDINARY || meaning === BLANK) continue;
    if (meaning === REFUSED) return -1;
    if (meaning === COLON && !isColonInText(text, at, end, inList)) return -1;
    if (meaning === HASH && isSpaceAt(text, at - 1)) return -1;
    if (meaning === FLOW && inList) return text[at] === ',' || text[at] === ']' ? at : -1;
  }
  return inList ? -1 : end;
}

function beyondAscii(code: number): number {
  return isOdd(code) ? REFUSED : ORDINARY;
}

/** A colon is text unless a blank, the end or, in a list, a bracket or comma follows. */
function isColonInText(text: string, at: number, end: number, inList: boolean): boolean {
  if (at + 1 >= end || isSpaceAt(text, at + 1)) return false;
  return !inList || MEANING[text.charCodeAt(at + 1)] !== FLOW;
}

function isSpaceAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === SPACE;
}

/** The closing quote, when nothing between needs unescaping. */
function quotedEnd(text: string, open: number, end: number): number {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return text.charCodeAt(at + 1) === quote ? -1 : at;
    if (code < SPACE || code === 0x5c || isOdd(code)) return -1;
  }
  return -1;
}

export function isBlankFrom(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (!isSpaceAt(text, at)) return false;
  return true;
}

/** `a, "b", c]` behind an opening bracket. */
function readFlatList(text: string, from: number, end: number): JsonValue[] | undefined {
  const items: JsonValue[] = [];
  let at = from;
  for (;;) {
    while (isSpaceAt(text, at)) at += 1;
    if (at >= end) return undefined;
    if (text[at] === ']' && items.length === 0) break;
    const mark = text[at];
    if (mark === '"' || mark === "'") {
      const close = quotedEnd(text, at, end);
      if (close < 0) return undefined;
      items.push(text.slice(at + 1, close));
      at = close + 1;
      while (isSpaceAt(text, at)) at += 1;
    } else {
      const stop = plainEnd(text, at, end, true);
      if (stop < 0) return undefined;
      const item = withoutBlanksBehind(text, at, stop);
      items.push(isNullWord(item) ? null : item);
      at = stop;
    }
    if (text[at] === ']') break;
    if (text[at] !== ',' || at >= end) return undefined;
    at += 1;
  }
  return isBlankFrom(text, at + 1, end) ? items : undefined;
}
