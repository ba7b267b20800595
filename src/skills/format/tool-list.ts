/**
 * Splits the text form of `allowed-tools`: separated by commas or blanks, except inside parentheses and quotes.
 *
 * @example splitToolList('Bash(git add *), Read') // ['Bash(git add *)', 'Read']
 */
export function splitToolList(text: string): string[] {
  const tools: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSeparator(text.charAt(at))) {
      at += 1;
      continue;
    }
    const close = quotedEnd(text, at);
    const end = close < 0 ? toolEnd(text, at) : close + 1;
    const tool = close < 0 ? text.slice(at, end) : text.slice(at + 1, close);
    if (tool.trim() !== '') tools.push(tool.trim());
    at = end;
  }
  return tools;
}

function isSeparator(character: string): boolean {
  return character === ',' || character.trim() === '';
}

/** Where the quote that opens here closes; -1 when none opens or it never closes. */
function quotedEnd(text: string, at: number): number {
  const quote = text.charAt(at);
  return quote === '"' || quote === "'" ? text.indexOf(quote, at + 1) : -1;
}

/** The first separator outside parentheses. */
function toolEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && isSeparator(character)) break;
  }
  return at;
}
