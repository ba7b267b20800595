import { describe, expect, it } from '@jest/globals';
import { controlTokenFindings, hiddenUnicodeFindings, oneLine, visibleText } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['plain text', 'plain text'],
    ['zero\u200bwidth\u2060joiner', 'zerowidthjoiner'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['\u202eright to left\u202c', 'right to left'],
    ['mark\ufeff', 'mark'],
    ['tag\u{e0041}\u{e0042}\u{e007f}s', 'tags'],
    ['filler\u3164\u115f', 'filler'],
    ['a\ufe01\ufe02b', 'ab'],
    ['x\u200cy', 'xy'],
    ['selectors\u{e0100}', 'selectors'],
  ])('takes what nobody sees out of %j', (text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it.each([
    'family 👨\u200d👩\u200d👧 here',
    'heart ❤\ufe0f and key 1\ufe0f\u20e3',
    'skin 👩🏽\u200d💻',
    'rainbow 🏳\ufe0f\u200d🌈',
    'flag 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'می\u200cخواهم',
    'क्\u200dष',
    '葛\u{e0100}城',
    'curly “quotes” – and dashes — …',
    '한국어 텍스트',
  ])('leaves %j as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('looks at no character twice as long as at another', () => {
    const started = performance.now();
    for (const unit of ['\u200b', '👨\u200d', '\u{e0041}', '🏴', 'می\u200c', ' \n']) {
      visibleText(unit.repeat(20_000));
      oneLine(unit.repeat(20_000));
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('finds every character that shows nothing, alone between letters', () => {
    const ranges = [
      [0x00ad, 0x00ad],
      [0x034f, 0x034f],
      [0x061c, 0x061c],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
      [0x200b, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x206f],
      [0x3164, 0x3164],
      [0xfe00, 0xfe0f],
      [0xfeff, 0xfeff],
      [0xffa0, 0xffa0],
      [0xfff0, 0xfffb],
      [0x1d173, 0x1d17a],
      [0xe0000, 0xe01ef],
    ] as const;
    const shown = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).filter(
        (character) => visibleText(`a${character}b`) !== 'ab',
      ),
    );
    expect(shown).toEqual([]);
  });
});

describe('oneLine', () => {
  it.each([
    ['a\nb', 'a b'],
    ['a \r\n  b', 'a b'],
    ['a\u2028b\u0000c\u0085d', 'a b c d'],
    ['  keeps   inner  blanks ', 'keeps   inner  blanks'],
    ['\n', ''],
  ])('writes %j on one line', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe('findings about text', () => {
  it('name the line and the code points, once for each line', () => {
    expect(hiddenUnicodeFindings('fine\nx\u200by\u200b\n❤\ufe0f\nz\u202e', { firstLine: 5 })).toMatchObject([
      { code: 'hidden_unicode', line: 6, found: 'U+200B' },
      { code: 'hidden_unicode', line: 8, found: 'U+202E' },
    ]);
    expect(hiddenUnicodeFindings('x\u200b', { firstLine: 3, field: 'description' })).toMatchObject([
      { line: 3, field: 'description' },
    ]);
    expect(hiddenUnicodeFindings('\u200b\n'.repeat(50), { firstLine: 1 })).toHaveLength(20);
  });

  it('name control tokens of chat models', () => {
    const text = 'a <|im_start|>\n[INST] b\n<<SYS>>\n<| not one |> [inst]';
    expect(controlTokenFindings(text, { firstLine: 1 }).map(({ line, found }) => [line, found])).toEqual([
      [1, '"<|im_start|>"'],
      [2, '"[INST]"'],
      [3, '"<<SYS>>"'],
    ]);
  });
});
