/** Where the frontmatter of a SKILL.md lies. Offsets are bytes into the whole file. */
export type FrontmatterPlace =
  | {
      readonly kind: 'found';
      /** First byte after the opening fence line. */
      readonly start: number;
      /** First byte of the closing fence line. */
      readonly end: number;
      /** First byte after the closing fence line. */
      readonly body: number;
      /** 1-based line of `start`. */
      readonly line: number;
      readonly blankBefore: boolean;
    }
  | { readonly kind: 'unclosed'; readonly start: number; readonly line: number }
  /** Another language than YAML: `---js`, `+++`. Nothing but YAML is ever read. */
  | { readonly kind: 'other'; readonly line: number; readonly found: string }
  | { readonly kind: 'missing'; readonly line: number }
  /** UTF-16, by its byte-order mark. */
  | { readonly kind: 'encoding' };

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const DASH = 0x2d;
const PLUS = 0x2b;
const CLOSING = Buffer.from('\n---');

/**
 * Finds both fences: whole lines of `---`, blanks after it allowed, the closing one at column one.
 * A linear scan over bytes; `---` inside a value, in the body or longer rules are no fences.
 *
 * @param whole false when `bytes` is only the beginning of the file, so a fence at its very end is not sure.
 */
export function locateFrontmatter(bytes: Buffer, whole: boolean): FrontmatterPlace {
  if (isUtf16(bytes)) return { kind: 'encoding' };
  const bom = skipByteOrderMark(bytes);
  let position = bom;
  let line = 1;
  for (;;) {
    const next = afterBlanks(bytes, position);
    if (bytes[next] !== LF) break;
    position = next + 1;
    line += 1;
  }
  if (!whole && mayYetOpen(bytes, position)) return { kind: 'unclosed', start: position, line };
  const opened = openingFence(bytes, position, line);
  if (typeof opened !== 'number') return opened;
  return closingFence(bytes, opened, whole, { line: line + 1, blankBefore: line > 1 });
}

/** Length of the UTF-8 byte-order mark at the start: 3 or 0. */
export function skipByteOrderMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Whether bytes to come can still make an opening fence of the line that the given bytes end in. */
function mayYetOpen(bytes: Buffer, at: number): boolean {
  const isShort = bytes.length - at < 4;
  return (isShort || bytes[at] === DASH || bytes[at] === PLUS) && bytes.indexOf(LF, at) < 0;
}

/** The offset after the opening fence line, or what stands there instead. */
function openingFence(bytes: Buffer, at: number, line: number): number | FrontmatterPlace {
  const mark = bytes[at];
  const isFence = (mark === DASH || mark === PLUS) && bytes[at + 1] === mark && bytes[at + 2] === mark;
  if (!isFence || bytes[at + 3] === mark) return { kind: 'missing', line };
  const rest = afterBlanks(bytes, at + 3);
  if (mark === DASH && bytes[rest] === LF) return rest + 1;
  if (mark === DASH && rest >= bytes.length) return { kind: 'unclosed', start: bytes.length, line: line + 1 };
  const lineEnd = bytes.indexOf(LF, at);
  const found = bytes
    .toString('utf8', at, Math.min(lineEnd < 0 ? bytes.length : lineEnd, at + 200))
    .trimEnd();
  return { kind: 'other', line, found };
}

function closingFence(
  bytes: Buffer,
  start: number,
  whole: boolean,
  opening: { line: number; blankBefore: boolean },
): FrontmatterPlace {
  // From the line break of the opening fence on, so that the very next line may close.
  let at = bytes.indexOf(CLOSING, start - 1);
  while (at >= 0) {
    const rest = afterBlanks(bytes, at + CLOSING.length);
    const endsHere = bytes[rest] === LF || (rest >= bytes.length && whole);
    if (endsHere) {
      const body = Math.min(rest + 1, bytes.length);
      return { kind: 'found', start, end: at + 1, body, ...opening };
    }
    at = bytes.indexOf(CLOSING, at + CLOSING.length);
  }
  return { kind: 'unclosed', start, line: opening.line };
}

/** Skips blanks, tabs and the carriage return before a line feed. */
function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CR) at += 1;
  return at;
}
