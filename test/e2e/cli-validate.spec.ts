import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CLI, runCli } from '../support/cli-runs.js';
import { TempFolder } from '../support/temp-folder.js';

interface Report {
  valid: boolean;
  counts: { error: number };
  skills: { path: string; name: string | null; valid: boolean; findings: { code: string }[] }[];
  findings: { code: string; path: string }[];
}

describe('skillwright validate', () => {
  let folder: TempFolder;
  const run = (...args: string[]) => runCli(['validate', ...args], { cwd: folder.dir });
  const report = async (...args: string[]): Promise<Report> =>
    JSON.parse((await run(...args, '--json')).out) as Report;

  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  it('finds nothing wrong with the sample workspace', async () => {
    const { status, out } = await runCli(['validate', 'workspace-docs'], { cwd: resolve('.') });
    expect(out).toMatch(/^\d+ skills checked: no findings\n$/);
    expect(status).toBe(0);
  });

  it('takes a file, a skill folder and a folder of skills at any depth, and counts each skill once', async () => {
    folder.skill('skills/one');
    folder.skill('skills/group/inner/two');
    const { skills, valid } = await report('skills/one/SKILL.md', 'skills/one', 'skills');
    expect(skills.map(({ path }) => path)).toEqual([
      'skills/group/inner/two/SKILL.md',
      'skills/one/SKILL.md',
    ]);
    expect(valid).toBe(true);
  });

  it('names file and line of what is wrong and exits with 1', async () => {
    folder.write('bad/SKILL.md', '---\nname: bad\ndescription: x\ntags: {a: [\n---\n\nDo it.\n');
    const { status, out, err } = await run('bad');
    expect(out).toMatch(/^bad\/SKILL\.md:\d+:\d+ error yaml_invalid /m);
    expect(out).toMatch(/^1 skill checked: \d error/m);
    expect([status, err]).toEqual([1, '']);
  });

  it('holds a skill to the letter of the open specification when asked', async () => {
    folder.skill('Some Skill');
    expect((await run('Some Skill')).status).toBe(0);
    expect((await run('Some Skill', '--strict')).status).toBe(1);
  });

  it('survives everything that can lie on a disk and goes on to the next skill', async () => {
    folder.skill('skills/good');
    folder.write('skills/huge/SKILL.md', '');
    truncateSync(folder.path('skills/huge/SKILL.md'), 60_000_000);
    folder.write('skills/binary/SKILL.md', Buffer.from([0xff, 0xfe, 0x00, 0x2d]));
    folder.write('skills/empty/SKILL.md', '');
    folder.write('skills/folder/SKILL.md/inner', '');
    execFileSync('mkfifo', [folder.path('skills/folder/pipe'), folder.path('skills/pipe')]);
    symlinkSync('loop', folder.path('skills/loop'));
    symlinkSync('/etc', folder.path('skills/outside'));
    writeFileSync(Buffer.concat([Buffer.from(folder.path('skills/good/')), Buffer.from([0xff])]), '');
    const { skills, findings, valid } = await report('skills');
    const states = new Map(skills.map(({ path, valid: ok }) => [path.split('/')[1], ok]));
    expect(Object.fromEntries(states)).toMatchObject({
      good: true,
      huge: false,
      binary: false,
      empty: false,
    });
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['link_dangling', 'link_refused']),
    );
    const codes = skills.flatMap((skill) => skill.findings.map(({ code }) => code));
    expect(codes).toEqual(expect.arrayContaining(['skill_md_too_large', 'file_name_unreadable']));
    expect(valid).toBe(false);
  });

  it('does not take a missing path, an empty argument or a folder without skills for success', async () => {
    folder.write('notes/readme.txt', 'x');
    for (const path of ['nowhere', '', 'notes']) {
      const { status, out } = await run(path);
      expect([path, status]).toEqual([path, 1]);
      expect(out).toMatch(/ error (file_unreadable|skill_md_missing) /);
    }
  });

  it('lets no file name or text forge a line of GitHub Actions', async () => {
    folder.write('a\n::set-output name=x::y/SKILL.md', '---\nname: [\n---\n');
    const { out } = await run('.', '--format', 'github');
    for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^::(error|warning|notice) /);
    expect(out).toContain('%0A');
  });

  it('writes SARIF with relative, encoded addresses', async () => {
    folder.write('my skill/SKILL.md', '---\nname: [\n---\n');
    const { status, out } = await run('.', '--format', 'sarif');
    const log = JSON.parse(out) as { version: string };
    expect(log.version).toBe('2.1.0');
    expect(out).toContain('"uri": "my%20skill/SKILL.md"');
    expect(status).toBe(1);
  });

  it('loads neither Nest nor a database to judge a file', () => {
    folder.skill('one');
    const script = `
      process.argv.splice(1, 0, 'skillwright');
      process.on('exit', () => {
        const loaded = Object.keys(require.cache).filter((path) => /@nestjs|typeorm|pglite|node_modules.pg/.test(path));
        console.error(JSON.stringify(loaded));
      });
      require(${JSON.stringify(CLI)});`;
    const { stderr } = spawnSync(process.execPath, ['-e', script, 'validate', 'one'], {
      cwd: folder.dir,
      encoding: 'utf8',
    });
    expect(JSON.parse(stderr)).toEqual([]);
  });

  it('is quiet when nobody reads its output any more', () => {
    for (let n = 0; n < 400; n++) folder.write(`skills/s${n}/SKILL.md`, '---\nname: [\n---\n');
    const script = `"${process.execPath}" "${CLI}" validate skills --format json 2>&1 >&3 | cat; exit`;
    const err = execFileSync('bash', ['-c', `{ { ${script}; } 3>&1 >&2 | head -c 10 >/dev/null; } 2>&1`], {
      cwd: folder.dir,
      encoding: 'utf8',
    });
    expect(err).toBe('');
  });
});
