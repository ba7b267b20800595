import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSkill } from './parse-skill.js';
import { type SkillDocument } from './skill-document.js';

const limits = { skillMdBytes: 1_048_576, frontmatterBytes: 65_536 };
const parse = (block: string): SkillDocument =>
  parseSkill(`---\nname: shelf\ndescription: x\n${block}\n---\nBody.\n`, { folderName: 'shelf', limits });

describe('frontmatter made to do harm', () => {
  const table: [string, string, string][] = [
    ['flow nesting', `a: ${'['.repeat(30_000)}`, 'yaml_too_deep'],
    ['closed flow nesting', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'yaml_too_deep'],
    ['nested flow maps', `a: ${'{a: '.repeat(15_000)}`, 'yaml_too_deep'],
    ['block nesting', `a:\n ${'- '.repeat(30_000)}x`, 'yaml_too_deep'],
    ['explicit keys', '? '.repeat(30_000), 'yaml_too_deep'],
    ['one level too many', `a: ${'['.repeat(21)}x${']'.repeat(21)}`, 'yaml_too_deep'],
    ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]`, 'yaml_alias'],
    ['an alias of itself', 'a: &a [*a]', 'yaml_alias'],
    ['thousands of aliases', `a: &a x\nb: [${'*a, '.repeat(5_000)}x]`, 'yaml_alias'],
    ['an alias to nothing', 'a: *gone', 'yaml_alias'],
    ['a merge', 'base: &m {a: b}\n<<: *m', 'yaml_alias'],
    ['a function tag', 'a: !!js/function "x"', 'yaml_tag'],
    ['a binary tag', 'a: !!binary aGk=', 'yaml_tag'],
    ['a private tag', 'a: !include /etc/passwd', 'yaml_tag'],
    ['a tagged key', '!!str a: b', 'yaml_tag'],
    ['the same key twice', 'a: 1\na: 2', 'yaml_duplicate_key'],
    ['the same key twice, deep down', 'a:\n  b: [{c: 1, "c": 2}]', 'yaml_duplicate_key'],
    ['a list for a key', '? [a]\n: b', 'yaml_invalid'],
    ['a directive', '%YAML 1.1\n...\na: b', 'yaml_invalid'],
    ['a NUL escape', 'a: "x\\0"', 'text_unstorable'],
    ['a NUL', 'a: x\0', 'text_unstorable'],
    ['half a surrogate pair in a key', '"\\ud800": x', 'text_unstorable'],
    ['half a surrogate pair deep down', 'metadata:\n  a: ["\\udfff"]', 'text_unstorable'],
  ];

  it.each(table)('is refused: %s', (_, block, code) => {
    const started = performance.now();
    const document = parse(block);
    expect(document).toMatchObject({ valid: false, keys: null });
    expect(document.findings[0]).toMatchObject({ severity: 'error', code });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('says what stands twice and where', () => {
    expect(parse('a: 1\na: 2').findings).toMatchObject([{ code: 'yaml_duplicate_key', field: 'a', line: 5 }]);
  });

  it('takes twenty levels', () => {
    expect(parse(`a: ${'['.repeat(19)}x${']'.repeat(19)}`).valid).toBe(true);
  });

  it('keeps a pair of escapes that makes one character', () => {
    expect(parse('a: "\\ud83d\\ude00"').keys).toMatchObject({ a: '😀' });
  });

  it('names hidden characters by field, also those behind escapes', () => {
    expect(parse('license: a\u200bb\nauthor: "x\\u202e"').findings).toMatchObject([
      { code: 'hidden_unicode', field: 'license', line: 4, found: 'U+200B' },
      { code: 'hidden_unicode', field: 'author', line: 5, found: 'U+202E' },
      { code: 'field_extension' },
    ]);
  });

  it('does not fill an answer with remarks', () => {
    expect(
      parse(Array.from({ length: 3_000 }, (_, index) => `k${index}: v`).join('\n')).findings.length,
    ).toBeLessThan(150);
  });

  it.each([
    ['distinct keys', Array.from({ length: 6_000 }, (_, index) => `k${index}: v`).join('\n')],
    ['quotes', `a: '${"''".repeat(30_000)}'`],
    ['blanks', `description2: a${' '.repeat(60_000)}b`],
    ['colons', `license: ${'a: '.repeat(20_000)}`],
    ['hashes', `license: ${'a #'.repeat(20_000)}`],
    ['short lines', 'a\n'.repeat(8_000)],
    ['blank lines', `a: "${'\n'.repeat(60_000)}"`],
    ['keys that need recovery', 'license: a: b\n'.repeat(2_000)],
  ])('is read in time that grows with its length: %s', (_, block) => {
    const started = performance.now();
    parse(block);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('never makes the parser throw', () => {
    const part = fc.constantFrom(
      '---',
      '\n',
      ': ',
      '- ',
      ' ',
      '"',
      "'",
      '|',
      '>',
      '&a',
      '*a',
      '!t',
      '{',
      '}',
      '[',
      ']',
      ',',
      '?',
      '#',
      '\\',
      'a',
      'é',
      '\0',
      '\t',
      '\r',
      '\ufeff',
      'description',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        const document = parseSkill(`---\n${parts.join('')}\n---\n`, { limits });
        expect(document.valid).toBe(!document.findings.some(({ severity }) => severity === 'error'));
      }),
      { numRuns: 800 },
    );
  });
});
