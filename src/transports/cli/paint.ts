const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Tone = keyof typeof CODES;

/** Colors a text, or leaves it alone. */
export type Paint = (tone: Tone, text: string) => string;

/** Colors belong to a terminal; a pipe, `--no-color` and `NO_COLOR` get plain text. */
export function painter(color: boolean): Paint {
  if (!color) return (_tone, text) => text;
  return (tone, text) => `\u001b[${CODES[tone]}m${text}\u001b[0m`;
}

/** The tone of a severity or state word. */
export const TONES: Readonly<Record<string, Tone>> = {
  error: 'red',
  fail: 'red',
  invalid: 'red',
  warning: 'yellow',
  warn: 'yellow',
  degraded: 'yellow',
  disabled: 'yellow',
  shadowed: 'dim',
  info: 'cyan',
  ok: 'green',
  available: 'green',
};

/** Colors a word by what it means. */
export function paintWord(paint: Paint, word: string, shown: string = word): string {
  const tone = TONES[word];
  return tone === undefined ? shown : paint(tone, shown);
}
