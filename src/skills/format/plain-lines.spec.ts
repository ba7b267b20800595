import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsePlainLines } from './plain-lines.js';
import { readYaml } from './yaml-mapping.js';

const words = fc.constantFrom(
  'plain',
  'two words',
  'true',
  'null',
  '~',
  '12306',
  '1.0',
  '0x1f',
  '.nan',
  '2024-01-01',
  'a: b',
  'a:b',
  'ends:',
  'a #b',
  'a#b',
  '#c',
  '- x',
  '-x',
  '? x',
  '?x',
  '*x',
  '&x',
  '!x',
  '|',
  '>',
  '>-',
  '|-',
  '|2',
  '>+',
  '[a, b]',
  '[a,b ,c]',
  '[]',
  '[a: b]',
  '[a, [b]]',
  '["q", \'r\']',
  '[a,]',
  '[a, , b]',
  'Bash(git:*)',
  '[Bash(git:*)]',
  '{a: b}',
  '"quoted"',
  '"a" b',
  '"a: b # c"',
  '"esc\\n"',
  '"open',
  "'single'",
  "'it''s'",
  "'open",
  '`tick`',
  '@at',
  '%x',
  'é à',
  '动量',
  '🎉',
  '\u2028',
  '\u00a0nbsp',
  '\ufeff',
  'tab\tinside',
  '---',
  '...',
  '"key" : v',
);
const keys = fc.constantFrom(
  'name',
  'description',
  'argument-hint',
  'tags',
  'allowed_tools',
  'x',
  'a1',
  '"q"',
  '<<',
  '1a',
  '__proto__',
);
const indents = fc.constantFrom('', ' ', '  ', '    ', '\t');
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(keys, fc.constantFrom(': ', ':', ' : ', ':  ', ':\t'), words)
      .map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: keys.map((key) => `${key}:`) },
  {
    weight: 4,
    arbitrary: fc.tuple(indents, fc.constantFrom('- ', '-', '-  '), words).map((parts) => parts.join('')),
  },
  { weight: 4, arbitrary: fc.tuple(indents, keys, fc.constant(': '), words).map((parts) => parts.join('')) },
  {
    weight: 4,
    arbitrary: fc.tuple(indents, words, fc.constantFrom('', ' ', '  ')).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', '    ', '# note', '  # note') },
);
const block = fc
  .tuple(fc.array(line, { maxLength: 7 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + end);

/** Whether escapes may stand in a text is asked of its characters alone, so YAML's way may say yes where there are none. */
const readByYaml = (text: string) => ({ ...readYaml({ text, firstLine: 2 }), escapes: false });

describe('the fast way through frontmatter', () => {
  it('gives what YAML gives, wherever it gives anything', () => {
    let taken = 0;
    fc.assert(
      fc.property(block, (text) => {
        const fast = parsePlainLines(text, 2);
        if (fast === null) return;
        taken += 1;
        expect(readByYaml(text)).toEqual(fast);
      }),
      { numRuns: 6_000 },
    );
    expect(taken).toBeGreaterThan(150);
  });

  it.each([
    ['name: pdf\ndescription: Reads PDF files, fills forms.\n'],
    ['description: "with: colon # and hash"\n'],
    ["license: 'MIT'\n"],
    ['tags: [a, "b c", Bash(git:*)]\n'],
    ['allowed-tools:\n  - Read\n  - Bash(git add *)\nmodel: x\n'],
    ['tags:\n- a\n- b\n'],
    ['metadata:\n  author: ops\n  version: "1.0"\n'],
    ['description: >-\n  folded\n  text\n\n  next\nname: x\n'],
    ['description: |\n  literal\n    deeper\n\nname: x\n'],
    ['# a comment\n\nname: x # not for the fast way'.slice(0, 20)],
    ['name: café\nversion: 1.0\nempty:\n'],
    ['description: wrapped by a writer\n  of YAML over\n    three lines\nmetadata:\n  model: small\n'],
    ['requires:\n  tools:\n    - ls\n  mcp: [shelf]\n  env:\n  - HOME\nname: x\n'],
    ['a:\n  b:\n    c: d\n  e:\nf: g\n'],
    ['description: |-\n  say "yes\\n"\nname: x\n'],
  ])('takes the ordinary block %j', (text) => {
    expect(parsePlainLines(text, 2)).not.toBeNull();
    expect(readByYaml(text)).toEqual(parsePlainLines(text, 2));
  });
});
