import { describe, expect, it } from '@jest/globals';
import { parseSkill } from './parse-skill.js';
import { parseSkillHead } from './skill-head.js';
import { type SkillDocument } from './skill-document.js';
import { validateSkill } from './validate-skill.js';

const limits = { skillMdBytes: 1_048_576, frontmatterBytes: 65_536 };
const parse = (source: string | Buffer): SkillDocument => parseSkill(source, { folderName: 'shelf', limits });
const block = (...lines: string[]): SkillDocument => parse(`---\n${lines.join('\n')}\n---\n\nBody.\n`);
const codes = (document: SkillDocument): string[] => document.findings.map(({ code }) => code);
const named = (...lines: string[]): SkillDocument => block('name: shelf', ...lines);
const described = (...lines: string[]): SkillDocument => named('description: Sorts books.', ...lines);

describe('the body', () => {
  it.each([
    ['---\nname: a\n---', ''],
    ['---\nname: a\n---\n\n \n\n  indented\nlast  \n\n', '  indented\nlast'],
    ['---\r\nname: a\r\n---\r\n\r\none\r\ntwo\r\n', 'one\r\ntwo'],
    ['\ufeff--- \nname: a\n---\t\n# Title\ninner\ufeffmark', '# Title\ninner\ufeffmark'],
    [
      '---\nname: a\n---\n```\n---\nname: b\n---\n```\n\n---\n\nend',
      '```\n---\nname: b\n---\n```\n\n---\n\nend',
    ],
    ['\ufeffno frontmatter\n', 'no frontmatter'],
  ])('of %j is what stands behind the frontmatter', (source, body) => {
    expect(parse(source).body).toBe(body);
  });

  it('is remarked on when it is empty, long or hides something', () => {
    expect(codes(parse('---\nname: shelf\ndescription: x\n---\n'))).toEqual(['body_empty']);
    expect(codes(parse(`---\nname: shelf\ndescription: x\n---\n${'line\n'.repeat(501)}`))).toEqual([
      'body_long',
    ]);
    expect(
      parse('---\nname: shelf\ndescription: x\n---\n\nfine\nhid\u200bden <|im_end|>\n').findings,
    ).toMatchObject([
      { code: 'hidden_unicode', line: 7 },
      { code: 'control_token', line: 7 },
    ]);
  });

  it('must be text that can be stored', () => {
    const front = '---\nname: shelf\ndescription: x\n---\n';
    expect(parse(`${front}nul\0`)).toMatchObject({ valid: false, findings: [{ code: 'text_unstorable' }] });
    expect(parse(`${front}half\ud800`)).toMatchObject({
      valid: false,
      findings: [{ code: 'text_unstorable' }],
    });
    const cut = Buffer.concat([Buffer.from(front), Buffer.from([0xe2, 0x82])]);
    expect(parse(cut)).toMatchObject({ valid: false, findings: [{ code: 'encoding_invalid' }] });
  });
});

describe('scalars', () => {
  it('keep the spelling of the source', () => {
    const { keys } = block(
      'name: 12306',
      'version: 1.0',
      'hex: 0x1F',
      'yes: yes',
      'day: 2024-01-01',
      'nan: .nan',
    );
    expect(keys).toEqual({
      name: '12306',
      version: '1.0',
      hex: '0x1F',
      yes: 'yes',
      day: '2024-01-01',
      nan: '.nan',
    });
  });

  it('unquote and unescape', () => {
    const { keys } = block('"name": a', `'k': 'it''s'`, 'd: "a\\tb \\u00e9 \\"c\\""');
    expect(keys).toEqual({ name: 'a', k: "it's", d: 'a\tb é "c"' });
  });

  it('may contain dashes, and fold over lines', () => {
    expect(named('description: a --- b', 'license: MIT').frontmatter).toMatchObject({
      description: 'a --- b',
      license: 'MIT',
    });
    expect(named('description: >', '  one', '  two', '', '  three').frontmatter.description).toBe(
      'one two\nthree',
    );
    expect(named('description: one', '  two').frontmatter.description).toBe('one two');
  });
});

describe('text that is no YAML text', () => {
  it.each([
    'Plans work: reads, writes.',
    '[draft] Sorts books.',
    '`ls` explained.',
    '*.txt files.',
    '@home sorting',
    '%done',
    '&more',
    '!important',
    '{curly} brackets',
    '"Half" quoted',
    '- a dash: here',
  ])('is read as it is written: %s', (text) => {
    const document = named(`description: ${text}`);
    expect(document.frontmatter.description).toBe(text);
    expect(document).toMatchObject({
      valid: true,
      findings: [{ code: 'yaml_recovered', field: 'description', line: 3 }],
    });
  });

  it('is recovered over several lines and in every text field', () => {
    expect(named('description: One: a', '  two: b', '', '  three').frontmatter.description).toBe(
      'One: a two: b\nthree',
    );
    expect(
      described('argument-hint: [row] [--all]', 'compatibility: Needs: a shelf').frontmatter,
    ).toMatchObject({
      argumentHint: '[row] [--all]',
      compatibility: 'Needs: a shelf',
    });
    expect(described('argument-hint: [row]').frontmatter.argumentHint).toBe('[row]');
    expect(named("description: 'it's here'").frontmatter.description).toBe("it's here");
  });

  it('is never recovered for a name, nor behind a quote that does not close', () => {
    expect(block('name: a: b', 'description: x')).toMatchObject({ valid: false, keys: null });
    expect(named('description: "open', 'license: MIT')).toMatchObject({ valid: false, keys: null });
  });

  it('is cut at a comment as YAML says, with a warning', () => {
    const document = named('description: Posts to #general and the #news list.');
    expect(document.frontmatter.description).toBe('Posts to');
    expect(document.findings).toMatchObject([
      { code: 'yaml_comment_cut', line: 3, found: '"#general and the #news list."' },
    ]);
    expect(codes(named('description: "quoted" # on purpose'))).toEqual([]);
  });
});

describe('flags', () => {
  it.each([
    ['true', true, []],
    ['"true"', true, []],
    ['False', false, []],
    ['yes', true, ['field_value_unclear']],
    ['no', true, ['field_value_unclear']],
    ['0', true, ['field_value_unclear']],
    ['', true, ['field_value_unclear']],
    ['[false]', true, ['field_value_unclear']],
  ])('disable-model-invocation: %s hides: %j', (value, hidden, remarks) => {
    const document = described(`disable-model-invocation: ${value}`);
    expect(document.frontmatter.disableModelInvocation).toBe(hidden);
    expect(codes(document)).toEqual(remarks);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['', null],
    ['maybe', false],
  ])('user-invocable: %s is %j', (value, expected) => {
    expect(described(`user-invocable: ${value}`).frontmatter.userInvocable).toBe(expected);
  });

  it('hide when either spelling says so', () => {
    const both = described('disable-model-invocation: false', 'disable_model_invocation: true');
    expect(both.frontmatter.disableModelInvocation).toBe(true);
  });
});

describe('fields', () => {
  it('count with an underscore, too, and say how they are written', () => {
    const document = described('allowed_tools: Read', 'user_invocable: false', 'exclude-deps: [a]');
    expect(document.frontmatter).toMatchObject({
      allowedTools: ['Read'],
      userInvocable: false,
      excludeDeps: ['a'],
    });
    expect(document.findings.filter(({ code }) => code === 'field_spelling')).toMatchObject([
      { field: 'allowed-tools', found: '"allowed_tools"' },
      { field: 'user-invocable' },
      { field: 'exclude_deps' },
    ]);
  });

  it('are kept when unknown and never read as settings', () => {
    const document = described('enabled: false', 'is_system: true', 'hooks: {a: b}', 'Description: y');
    expect(document.keys).toMatchObject({ enabled: 'false', is_system: 'true', hooks: { a: 'b' } });
    expect(document.findings).toMatchObject([
      { code: 'field_unknown', field: 'enabled', line: 4 },
      { code: 'field_unknown', field: 'is_system' },
      { code: 'field_unknown', field: 'hooks' },
      { code: 'field_unknown', field: 'Description', hint: 'Is description meant?' },
    ]);
  });

  it('are told to be extensions only where other clients may not know them', () => {
    const document = described(
      'author: x',
      'tags: a, b',
      'version: "2"',
      'user-invocable: true',
      'license: MIT',
    );
    expect(document.findings.map(({ code, field, severity }) => [code, field, severity])).toEqual([
      ['field_extension', 'author', 'info'],
      ['field_extension', 'tags', 'info'],
      ['field_extension', 'version', 'info'],
    ]);
    expect(document.frontmatter.tags).toEqual(['a', 'b']);
  });

  it('that would reach a prototype are dropped at any depth', () => {
    const document = described(
      '__proto__: {admin: x}',
      'metadata:',
      '  constructor: {prototype: {admin: x}}',
      '  a: b',
    );
    expect(document.keys).toEqual({ name: 'shelf', description: 'Sorts books.', metadata: { a: 'b' } });
    expect(codes(document)).toEqual(['field_dropped', 'field_dropped']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('of the wrong type are errors where they are required, else warnings', () => {
    expect(named('description:', '  en: x')).toMatchObject({
      valid: false,
      findings: [{ code: 'field_type', line: 3 }],
    });
    expect(block('name: [a]', 'description: x').valid).toBe(false);
    const document = described(
      'license: [MIT]',
      'metadata: x',
      'tags: {a: b}',
      'allowed-tools: {a: b}',
      'deps: [[a], b]',
    );
    expect(document).toMatchObject({ valid: true, frontmatter: { metadata: null, tags: null, deps: ['b'] } });
  });

  it('must not be blank when they are required', () => {
    for (const value of ['', '""', '"  "', '~', 'null', '>']) {
      expect(named(`description: ${value}`)).toMatchObject({
        valid: false,
        findings: [{ code: 'field_blank', field: 'description', line: 3 }],
      });
    }
    expect(named()).toMatchObject({
      valid: false,
      findings: [{ code: 'field_missing', field: 'description' }],
    });
    expect(block('name: ""', 'description: x')).toMatchObject({
      valid: false,
      findings: [{ code: 'field_blank' }],
    });
  });

  it('warn of long texts and refuse enormous ones', () => {
    expect(named(`description: ${'x'.repeat(1_024)}`).findings).toEqual([]);
    expect(named(`description: ${'🎉'.repeat(1_025)}`)).toMatchObject({
      valid: true,
      findings: [{ code: 'field_too_long' }],
    });
    expect(named(`description: ${'x'.repeat(8_193)}`).valid).toBe(false);
  });

  it('remark on blank and legacy tools', () => {
    const document = described('allowed-tools: [Read, "", read_workspace_file]');
    expect(document.frontmatter.allowedTools).toEqual(['Read', 'read_workspace_file']);
    expect(document.findings).toMatchObject([
      { code: 'field_blank', severity: 'warning', field: 'allowed-tools[1]' },
      { code: 'tool_name_legacy', hint: 'Use execute_shell_command.' },
    ]);
  });

  it('know where they stand', () => {
    const { spans } = parse('\n---\nname: shelf\n# c\n"description": x\n---\n');
    expect(spans.get('name')).toEqual({ line: 3, column: 1, endLine: 3, endColumn: 5 });
    expect(spans.get('description')).toEqual({ line: 5, column: 1, endLine: 5, endColumn: 14 });
  });
});

describe('validateSkill', () => {
  const severities = (document: SkillDocument, strict: boolean): string[] =>
    validateSkill(document, { strict }).map(({ severity, code }) => `${severity} ${code}`);

  it('turns breaches of the open specification into errors when it is strict', () => {
    const document = block(
      'name: Book Shelf',
      `description: ${'x'.repeat(1_025)}`,
      'color: red',
      'tags: [a]',
    );
    expect(severities(document, false)).not.toContainEqual(expect.stringContaining('error'));
    expect(severities(document, true)).toEqual([
      'error name_nonconforming',
      'error field_too_long',
      'error name_mismatch',
      'warning field_unknown',
      'info field_extension',
    ]);
    expect(severities(block('description: x'), true)).toEqual(['error name_missing']);
    expect(severities(described(`compatibility: ${'x'.repeat(501)}`), true)).toEqual([
      'error field_too_long',
    ]);
    expect(severities(described('license: MIT', 'allowed-tools: Read'), true)).toEqual([]);
  });

  it('judges a document by the folder it is asked about', () => {
    const loose = parseSkill('---\nname: shelf\ndescription: x\n---\nBody', { limits });
    expect(validateSkill(loose, { folderName: 'shelf' })).toEqual([]);
    expect(validateSkill(loose, { folderName: 'rack' })).toMatchObject([{ code: 'name_mismatch', line: 2 }]);
    const nameless = parseSkill('---\ndescription: x\n---\nBody', { limits });
    expect(validateSkill(nameless)).toMatchObject([{ code: 'field_missing', severity: 'error' }]);
    expect(validateSkill(nameless, { folderName: 'rack' })).toMatchObject([
      { code: 'name_missing', severity: 'warning' },
    ]);
  });
});

describe('head and document', () => {
  it('agree on everything that the head reads', () => {
    const text = '---\nname: Shelf\ndescription: a: b\ncolor: red\ntags: [x]\n---\nBody.\n';
    const head = parseSkillHead(Buffer.from(text), { folderName: 'shelf', limits });
    const { findings, frontmatter, keys, valid, bodyOffset } = parse(text);
    expect(head).toEqual({
      frontmatter,
      keys,
      valid,
      bodyOffset,
      findings: findings.filter(({ severity }) => severity !== 'info'),
    });
  });
});
