/** The part of a text without the blank lines at its start and without the blanks at its end. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the instructions lie between `from` and the end of a text. The indentation of the first line is theirs:
 * in Markdown it has a meaning.
 */
export function bodyRange(text: string, from: number): TextRange {
  let end = text.length;
  while (end > from && isBlank(text, end - 1)) end -= 1;
  let start = from;
  for (let at = from; at < end && isBlank(text, at); at += 1) {
    if (text[at] === '\n') start = at + 1;
  }
  return { start: Math.min(start, end), end };
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
