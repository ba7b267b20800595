import { describe, expect, it } from '@jest/globals';
import { parseSkillHead, type FormatContext } from './skill-head.js';
import { type SkillHead } from './skill-document.js';

const limits = { skillMdBytes: 10_000, frontmatterBytes: 2_000 };

function head(text: string | Buffer, context: Partial<FormatContext> = {}): SkillHead {
  const read = parseSkillHead(Buffer.from(text), { folderName: 'shelf', limits, ...context });
  if (read === 'need_more') throw new Error('the head was not enough');
  return read;
}

function block(...lines: string[]): SkillHead {
  return head(`---\n${lines.join('\n')}\n---\n\nBody.\n`);
}

const codes = (read: SkillHead): string[] => read.findings.map(({ code }) => code);

describe('parseSkillHead', () => {
  it('reads every known field with its type', () => {
    const read = block(
      'name: shelf',
      'slug: shelf',
      'description: Sorts books.',
      'author: Library',
      'tags: [books, order]',
      'license: MIT',
      'compatibility: Needs a shelf.',
      'metadata:',
      '  owner: ops',
      'version: 1.0',
      'argument-hint: <row>',
      'allowed-tools: Read, Bash(ls *)',
      'permissions:',
      '  bash: ["ls*", "wc*"]',
      'model: small',
      'disable-model-invocation: false',
      'user-invocable: true',
      'effort: low',
      'context: fork',
      'agent: sorter',
      'deps: [pip:books]',
      'exclude_deps: npm:left',
      'requires:',
      '  tools: [ls]',
    );
    expect(read.findings).toEqual([]);
    expect(read.valid).toBe(true);
    expect(read.frontmatter).toEqual({
      name: 'shelf',
      slug: 'shelf',
      description: 'Sorts books.',
      author: 'Library',
      tags: ['books', 'order'],
      license: 'MIT',
      compatibility: 'Needs a shelf.',
      metadata: { owner: 'ops' },
      version: '1.0',
      argumentHint: '<row>',
      allowedTools: ['Read', 'Bash(ls *)'],
      permissions: { bash: ['ls*', 'wc*'] },
      model: 'small',
      disableModelInvocation: false,
      userInvocable: true,
      effort: 'low',
      context: 'fork',
      agent: 'sorter',
      deps: ['pip:books'],
      excludeDeps: ['npm:left'],
      requires: { tools: ['ls'] },
    });
  });

  it('asks for more while the closing fence may lie beyond the given bytes', () => {
    const text = '---\nname: shelf\ndescription: Sorts books.\n---\nBody.\n';
    const bytes = Buffer.from(text);
    for (let length = 0; length < bytes.length; length += 1) {
      const read = parseSkillHead(bytes.subarray(0, length), {
        limits,
        size: bytes.length,
        folderName: 'shelf',
      });
      const closed = length >= text.indexOf('Body.');
      if (closed) expect(read).toMatchObject({ valid: true, bodyOffset: text.indexOf('Body.') });
      else expect(read).toBe('need_more');
    }
  });

  it('stops asking when the frontmatter is over its limit', () => {
    const text = `---\nname: shelf\n${'# filler\n'.repeat(300)}`;
    expect(codes(head(text, { size: 9_000 }))).toEqual(['frontmatter_too_large']);
    expect(codes(head('---\n', { size: 10_001 }))).toEqual(['skill_md_too_large']);
  });

  it('never offers a file without readable frontmatter', () => {
    const table: [string | Buffer, string][] = [
      ['', 'frontmatter_missing'],
      ['# Plain\n', 'frontmatter_missing'],
      ['text\n---\nname: a\n---\n', 'frontmatter_missing'],
      ['----\nname: a\n----\n', 'frontmatter_missing'],
      ['---\nname: a\n', 'frontmatter_unclosed'],
      ['---\nname: a\n----\n', 'frontmatter_unclosed'],
      ['---js\nprocess.exit()\n---\n', 'frontmatter_kind'],
      ['+++\nname = "a"\n+++\n', 'frontmatter_kind'],
      ['---\n- a\n---\n', 'frontmatter_not_a_mapping'],
      ['---\njust words\n---\n', 'frontmatter_not_a_mapping'],
      ['---\nname: a\n--- b\nc: d\n---\n', 'yaml_invalid'],
      [Buffer.from('\ufeff---\nname: a\n---\n', 'utf16le'), 'encoding_invalid'],
      [Buffer.from([...Buffer.from('---\nname: '), 0xe9, ...Buffer.from('\n---\n')]), 'encoding_invalid'],
    ];
    for (const [text, code] of table) {
      expect(head(text)).toMatchObject({ valid: false, keys: null, findings: [{ code }] });
    }
  });
});
