/**
 * Text of files, made fit for a terminal. What a stranger wrote into a SKILL.md must neither move the cursor,
 * nor change colors, nor reorder what a person reads: such characters are shown, not obeyed.
 */

// Controls (escape sequences begin with one), line separators, bidi marks and overrides, tags, lone surrogates.
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Cs}]/gu;
const SPACES = /[\s\u2028\u2029]+/gu;
// East Asian wide blocks and emoji presentation, in the resolution that aligning a table needs.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ASCII = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line: runs of white space become one blank, unsafe characters are written as `\u{1b}`. */
export function inline(text: string): string {
  return text.replace(SPACES, ' ').trim().replace(UNSAFE, escaped);
}

/** Several lines: line breaks and tabs stay, all else as in {@link inline}. */
export function block(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSAFE, (character) =>
      character === '\n' || character === '\t' ? character : escaped(character),
    );
}

/** Columns that a line takes on a terminal. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cuts to `width` columns, with an ellipsis where something is missing; never inside a character. */
export function cutToWidth(text: string, width: number): string {
  if (text.length <= width && displayWidth(text) <= width) return text;
  if (ASCII.test(text)) return `${text.slice(0, width - 1)}…`;
  let used = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    const wide = WIDE.test(segment) ? 2 : 1;
    if (used + wide > width - 1) break;
    used += wide;
    kept += segment;
  }
  return `${kept}…`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
