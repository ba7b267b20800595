import { afterAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { resolveOptions } from '../../src/config/resolve-options.js';
import { parseSkill } from '../../src/skills/format/parse-skill.js';
import { BUNDLED, scratch, script, told, tool } from './support/scripts.js';

interface Checked {
  readonly skills: readonly { readonly valid: boolean; readonly findings: readonly Finding[] }[];
}

interface Finding {
  readonly severity: string;
  readonly line: number;
  readonly message: string;
}

describe('the skill-creator skill', () => {
  const folder = scratch();
  afterAll(folder.remove);

  const write = (name: string, text: string): string => {
    const dir = folder.path(name);
    mkdirSync(dir);
    writeFileSync(join(dir, 'SKILL.md'), text);
    return dir;
  };
  const check = (dir: string): Finding[] => {
    const { stdout } = script('skill-creator', 'validate_skill.py', [dir, '--json']);
    return [...(JSON.parse(stdout) as Checked).skills[0]!.findings];
  };
  const scaffold = (name: string, ...options: string[]) =>
    script('skill-creator', 'scaffold_skill.py', [name, '-d', folder.path('.'), ...options]);

  it.each(['instructions', 'python', 'bash'])('scaffolds %s that both validators accept', (template) => {
    const name = `made-with-${template}`;
    const description = 'Counts: apples & pears. Use when somebody asks for "fruit".';
    told('skill-creator', 'scaffold_skill.py', [
      ...[name, '-d', folder.path('.'), '--template', template, '--tags', 'fruit', 'count'],
      ...['--author', 'Orchard team', '--description', description],
    ]);
    expect(check(folder.path(name))).toEqual([]);
    const source = readFileSync(folder.path(`${name}/SKILL.md`), 'utf8');
    const { frontmatter, findings } = parseSkill(source, {
      folderName: name,
      limits: resolveOptions({}).limits,
    });
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(frontmatter).toMatchObject({
      name,
      description,
      tags: ['fruit', 'count'],
      author: 'Orchard team',
    });
  });

  it('scaffolds scripts that run', () => {
    scaffold('runs-python', '--template', 'python', '--description', 'Use it.');
    scaffold('runs-bash', '--template', 'bash', '--description', 'Use it.');
    expect(tool(folder.path('runs-python/scripts/run.py'), ['x'])).toBe('{"input": "x"}\n');
    expect(tool(folder.path('runs-bash/scripts/run.sh'), ['x'])).toBe('input: x\n');
    expect(statSync(folder.path('runs-bash/scripts/run.sh')).mode & 0o777).toBe(0o755);
  });

  it('refuses bad names as wrong usage, with a better one, and an existing folder', () => {
    const bad = scaffold('Code Review', '--description', 'Use it.');
    expect([bad.status, bad.stderr]).toEqual([2, expect.stringContaining('such as code-review')]);
    expect(scaffold('../up', '--description', 'Use it.').status).toBe(2);
    scaffold('twice', '--description', 'Use it.');
    const again = scaffold('twice', '--description', 'Use it.');
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists')]);
  });

  it.each([
    ['no fence', '# Hello\n', 1, 'first line'],
    ['unclosed', '---\nname: unclosed\n', 1, 'not closed'],
    ['colon', '---\nname: colon\ndescription: Use it: now\n---\n\nx\n', 3, 'colon'],
    ['double', '---\nname: double\nname: double\n---\n', 3, 'twice'],
    ['no-description', '---\nname: no-description\n---\n\nx\n', 1, 'description is missing'],
    ['other', '---\nname: another\ndescription: Use it.\n---\n\nx\n', 2, "folder's name"],
    [
      'lost',
      '---\nname: lost\ndescription: Use it.\n---\n\nSee [x](references/x.md).\n',
      6,
      'references/x.md',
    ],
    ['out', '---\nname: out\ndescription: Use it.\n---\n\nSee [x](../y.md).\n', 6, 'outside'],
    [
      'ghost',
      '---\nname: ghost\ndescription: Use it.\n---\n\nRun `scripts/gone.py`.\n',
      6,
      'scripts/gone.py',
    ],
  ])('finds the fault "%s" at its line', (name, source, line, words) => {
    const dir = write(name, source);
    const [first] = check(dir).filter(({ severity }) => severity === 'error');
    expect(first).toMatchObject({ line, message: expect.stringContaining(words) });
    expect(script('skill-creator', 'validate_skill.py', [dir]).status).toBe(1);
  });

  it('warns of a script that cannot be started', () => {
    const dir = write('stuck', '---\nname: stuck\ndescription: Use it.\n---\n\nRun `scripts/a.py`.\n');
    mkdirSync(join(dir, 'scripts'));
    writeFileSync(join(dir, 'scripts/a.py'), '#!/usr/bin/env python3\n');
    chmodSync(join(dir, 'scripts/a.py'), 0o644);
    expect(check(dir)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('chmod 755') },
    ]);
  });

  it('finds no fault in the bundled skills', () => {
    const dirs = readdirSync(BUNDLED).filter((name) => !/^[_.]/.test(name));
    const { skills } = told('skill-creator', 'validate_skill.py', [
      ...dirs.map((name) => join(BUNDLED, name)),
      '--json',
    ]) as Checked;
    expect(skills.flatMap(({ findings }) => findings)).toEqual([]);
  });
});
