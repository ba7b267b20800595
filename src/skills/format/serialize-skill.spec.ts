import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSkill } from './parse-skill.js';
import { serializeSkill, type SkillEdits } from './serialize-skill.js';
import { type JsonValue, type SkillDocument } from './skill-document.js';

const limits = { skillMdBytes: 100_000, frontmatterBytes: 20_000 };
const parse = (text: string): SkillDocument => parseSkill(text, { folderName: 'shelf', limits });
const edit = (text: string, edits: SkillEdits): string => serializeSkill(parse(text), edits);

const RICH = `---
# who
name: shelf   # the folder's name
"description": >-
  Sorts books
  by color.

# look
tags: # for people
  - books
  # of paper
  - order
x-unknown: {a: 1}   # kept
---

Body.

`;

describe('serializeSkill', () => {
  it('gives the same bytes back when nothing is edited', () => {
    for (const text of [
      RICH,
      `\ufeff${RICH}`,
      RICH.replaceAll('\n', '\r\n'),
      '---\nname: a\n---',
      '\n---\na: b\n---\n',
    ]) {
      expect(edit(text, {})).toBe(text);
    }
  });

  it('changes only the lines of the named key', () => {
    expect(edit(RICH, { set: { name: 'rack' } })).toBe(RICH.replace('name: shelf', 'name: rack'));
    expect(edit(RICH, { set: { description: 'One: two' } })).toBe(
      RICH.replace('"description": >-\n  Sorts books\n  by color.\n', 'description: "One: two"\n'),
    );
    expect(edit(RICH, { set: { tags: ['new'] } })).toBe(
      RICH.replace(
        'tags: # for people\n  - books\n  # of paper\n  - order\n',
        'tags: ["new"] # for people\n',
      ),
    );
    expect(edit(RICH, { remove: ['tags', 'absent'] })).toBe(
      RICH.replace('tags: # for people\n  - books\n  # of paper\n  - order\n', ''),
    );
  });

  it('puts a new key last and keeps the line endings of the file', () => {
    expect(
      edit('\ufeff---\r\nname: a\r\n---\r\nBody.', { set: { license: 'MIT' }, body: 'New\nlines.' }),
    ).toBe('\ufeff---\r\nname: a\r\nlicense: MIT\r\n---\r\nNew\r\nlines.');
    expect(edit('---\n---\n', { set: { name: 'a' } })).toBe('---\nname: a\n---\n');
    expect(edit('---\n  name: a\n---\n', { set: { metadata: { owner: 'ops' } } })).toBe(
      '---\n  name: a\n  metadata:\n    owner: ops\n---\n',
    );
  });

  it('keeps the spelling of a key that it knows by another', () => {
    expect(edit('---\nallowed_tools: Read\n---\n', { set: { 'allowed-tools': ['Grep'] } })).toBe(
      '---\nallowed_tools: ["Grep"]\n---\n',
    );
  });

  it('replaces the body between the blank lines around it', () => {
    expect(edit(RICH, { body: '\n# New\n\n' })).toBe(RICH.replace('Body.', '# New'));
    expect(edit('---\nname: a\n---', { body: 'New' })).toBe('---\nname: a\n---\n\nNew\n');
    expect(edit('---\nname: a\n---\n', { body: 'New' })).toBe('---\nname: a\n---\n\nNew\n');
    expect(edit('---\nname: a\n---\n\n', { body: '    code' })).toBe('---\nname: a\n---\n\n    code\n');
    expect(edit(RICH, { body: '' })).toBe(RICH.replace('Body.', ''));
  });

  it('edits beside a value that had to be recovered, and replaces such a value whole', () => {
    const text = '---\ndescription: Sorts: books\n  and more: too\nname: a\n---\n';
    expect(edit(text, { set: { name: 'b' } })).toBe(text.replace('name: a', 'name: b'));
    expect(edit(text, { set: { description: 'Plain.' } })).toBe('---\ndescription: Plain.\nname: a\n---\n');
  });

  it.each([
    ['duplicate keys', '---\na: 1\na: 2\n---\n', {}],
    ['no frontmatter', 'text', { body: 'x' }],
    ['keys without lines of their own', '---\n{a: 1, b: 2}\n---\n', { set: { a: 'x' } }],
    ['explicit keys', '---\n? a\n: 1\n---\n', { set: { a: 'x' } }],
    ['text that cannot be stored', '---\na: 1\n---\n', { set: { a: 'x\0y' } }],
    ['halves of surrogate pairs', '---\na: 1\n---\n', { set: { a: '\ud800' } }],
    ['keys that reach prototypes', '---\na: 1\n---\n', { set: { ['__proto__']: 'x' } }],
  ])('refuses %s', (_, text, edits) => {
    expect(() => edit(text, edits)).toThrow(expect.objectContaining({ code: 'skill_md_invalid' }));
  });

  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !/[\0\p{Cs}]/u.test(value));
  const odd = fc.constantFrom(
    'true',
    'null',
    '12',
    '1.0',
    '- a',
    'a: b',
    'a #b',
    '"q"',
    '',
    ' pad ',
    'two\nlines',
    '---',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\t',
    '\r',
    '\u007f',
  );
  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    text,
    odd,
    fc.array(fc.oneof(text, odd), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('k', 'two words', 'a: b', '1'),
      fc.oneof(text, odd, fc.array(text, { maxLength: 2 })),
      { maxKeys: 2 },
    ),
  );
  const entry = fc.constantFrom(
    ['name', 'name: shelf # note\n'],
    ['description', 'description: >\n  folded\n  text\n\n'],
    ['tags', 'tags:\n  - a\n  # c\n  - b\n'],
    ['metadata', 'metadata:\n  a: "1"\n'],
    ['license', 'license: Use: freely\n'],
    ['x', 'x: |+\n  keep\n\n'],
    ['y', "'y': [a,\n  b]\n"],
    ['z', 'z:\n'],
  );
  const file = fc
    .uniqueArray(entry, { selector: ([key]) => key })
    .chain((entries) =>
      fc.tuple(
        fc.constant(entries),
        fc.array(fc.constantFrom('# comment\n', '\n', ''), { minLength: 9, maxLength: 9 }),
      ),
    );

  it('makes exactly the edit, whatever the file and the value', () => {
    fc.assert(
      fc.property(
        file,
        fc.constantFrom('name', 'description', 'tags', 'x', 'y', 'z', 'new', 'two words'),
        value,
        fc.boolean(),
        ([entries, between], key, next, crlf) => {
          // A text field takes brackets for text, so a list would not come back as one.
          fc.pre(key !== 'description' || typeof next === 'string');
          const block = entries.map(([, lines], index) => `${between[index] ?? ''}${lines}`).join('');
          const source = `---\n${block}${between[8] ?? ''}---\n\nBody.\n`.replaceAll(
            '\n',
            crlf ? '\r\n' : '\n',
          );
          const before = parse(source);
          const after = parse(serializeSkill(before, { set: { [key]: next } }));
          expect(after.keys).toEqual({ ...before.keys, [key]: next });
          expect(after.body).toBe(before.body);
          const removed = serializeSkill(parse(after.source), { remove: [key] });
          const others = Object.fromEntries(
            Object.entries(before.keys ?? {}).filter(([name]) => name !== key),
          );
          expect(parse(removed).keys).toEqual(others);
          expect(removed.split('\n').every((line) => source.split('\n').includes(line))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
