import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CLI, runCli } from '../support/cli-runs.js';
import { TempFolder } from '../support/temp-folder.js';

const repository = resolve('.');

interface ListAnswer {
  skills: { slug: string; name: string; source: string; availability: string; description: string }[];
  not_shown: { slug: string; source: string; availability: string; because: string }[];
}

/** An address at which nobody listens any more. */
async function unusedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

describe('skillwright on the command line', () => {
  let folder: TempFolder;
  const run = (args: string[], env: Record<string, string> = {}) => runCli(args, { cwd: folder.dir, env });

  beforeEach(() => {
    folder = new TempFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  it('exits with 2 and one line when it is used wrongly', async () => {
    for (const args of [['bogus'], ['list', '--bogus'], ['resolve', 'demo'], ['validate']]) {
      const { status, out, err } = await run(args);
      expect([args.join(' '), status, out]).toEqual([args.join(' '), 2, '']);
      expect(err).toMatch(/^skillwright: [^\n]+\n$/);
    }
    expect((await run([])).status).toBe(2);
    expect((await run(['--help'])).status).toBe(0);
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('names a wrong option by its path', async () => {
    const { status, err } = await run(['list'], { SKILLWRIGHT_HTTP_PORT: 'x' });
    expect(status).toBe(2);
    expect(err).toContain('http.port');
  });

  describe('in a workspace', () => {
    it('lists the samples, for people and for programs', async () => {
      const { status, out } = await runCli(['list'], { cwd: repository });
      expect(out).toMatch(/^skill +source +state +description\n/);
      expect(out).toMatch(/^code-review +workspace +available +\S/m);
      expect(status).toBe(0);
      const { skills } = JSON.parse(
        (await runCli(['list', '--json'], { cwd: repository })).out,
      ) as ListAnswer;
      expect(skills.map(({ slug }) => slug)).toContain('custom/release-notes');
    });

    it('finds skills by words, for people and for programs', async () => {
      folder.skill('ws/skills/knots', { description: 'Ties ropes.', body: '# Bowline' });
      const { status, out } = await run(['search', 'tie', 'rope', '--workspace', 'ws', '--explain']);
      expect([status, out]).toEqual([
        0,
        expect.stringMatching(/^knots +\d\.\d+ +tie \d\S+, rope .*Ties ropes/m),
      ]);
      const json = await run(['search', 'bowline', '--workspace', 'ws', '--json']);
      expect(JSON.parse(json.out)).toMatchObject({ hits: [{ slug: 'knots' }], headings_pending: 0 });
      expect((await run(['search', 'xyzzy', '--workspace', 'ws'])).out).toBe('no skill matches\n');
      expect((await run(['search', 'x', '--limit', 'many', '--workspace', 'ws'])).status).toBe(2);
    });

    it('tells an author whether a skill is found, and exits with 1 when it is not', async () => {
      folder.skill('ws/skills/knots', { description: 'Ties ropes.' });
      const ask = (...args: string[]) =>
        run(['trigger-check', 'knots', '--workspace', 'ws', '--prompt', ...args]);
      const found = await ask('tie a rope', 'knot');
      expect([found.status, found.out]).toEqual([0, expect.stringMatching(/^1 of \d+ +- +tie a rope/m)]);
      const draft = await ask('bake a loaf', '--description', 'Mends sails.', '--json');
      expect([draft.status, JSON.parse(draft.out)]).toMatchObject([1, { prompts: [{ rank: null }] }]);
    });

    it('says what is not offered and why', async () => {
      folder.skill('ws/skills/good');
      folder.write('ws/skills/torn/SKILL.md', '---\nname: torn\n---\n\nText.\n');
      const { out, err } = await run(['list', '--workspace', 'ws']);
      expect(out).not.toContain('torn');
      expect(err).toMatch(/^skillwright: torn is not offered: .*\(ws\/|skills\/torn\/SKILL\.md/m);
      const all = await run(['list', '--workspace', 'ws', '--all']);
      expect(all.out).toMatch(/^torn +workspace +invalid/m);
      const { not_shown } = JSON.parse(
        (await run(['list', '--workspace', 'ws', '--json'])).out,
      ) as ListAnswer;
      expect(not_shown).toMatchObject([{ slug: 'torn', availability: 'invalid' }]);
    });

    it('is found by its marker file', async () => {
      folder.skill('skills/here');
      folder.write('.skillwright-workspace.json', '{}');
      expect((await run(['list'])).out).toMatch(/^here +workspace/m);
    });

    it('shows one skill whole, by slug and by name', async () => {
      const { out } = await runCli(['show', 'custom/release-notes'], { cwd: repository });
      expect(out).toMatch(/^custom\/release-notes\n/);
      expect(out).toMatch(/^ {2}digest: +sha256:[0-9a-f]{64}$/m);
      expect(out).toMatch(/^ {2}0644 +\d+ {2}SKILL\.md$/m);
      const { status, err } = await runCli(['show', 'nothing-of-the-kind'], { cwd: repository });
      expect(status).toBe(1);
      expect(err).toMatch(/^skillwright: .*nothing-of-the-kind.*\n$/);
    });

    it('prints the text of a skill byte for byte into a pipe', async () => {
      const text = '---\r\nname: crlf\r\ndescription: Windows.\r\n---\r\n\r\nLine.\r\n';
      folder.write('ws/skills/crlf/SKILL.md', text);
      expect((await run(['show', 'crlf', '--content', '--workspace', 'ws'])).out).toBe(text);
    });

    it('resolves a step with reasons, as text and as the JSON of the service', async () => {
      const { status, out, err } = await runCli(['resolve', 'demo', 'research-step'], { cwd: repository });
      expect(out).toMatch(/^workflow demo, step research-step: \d skills, decided by step/);
      expect(out).toMatch(/^ {2}lead-research-assistant v1 \[offer\]: \S/m);
      expect(out).toMatch(/^read paths\n {2}skills\/lead-research-assistant\/\n/m);
      expect(err).toContain('presets/*.json');
      expect(status).toBe(0);
      const json = await runCli(['resolve', 'demo', 'deliver-step', '--json'], { cwd: repository });
      expect(JSON.parse(json.out)).toMatchObject({ decided_by: 'step', skills: [], rejected: [] });
    });

    it('refuses a step under --strict that would miss a skill, and names it', async () => {
      folder.write(
        'ws/workflows/flow/step_config.json',
        JSON.stringify({ steps: [{ id: 'one', agent_configs: { enabled_skills: ['gone'] } }] }),
      );
      const relaxed = await run(['resolve', 'flow', 'one', '--workspace', 'ws', '--json']);
      expect(JSON.parse(relaxed.out)).toMatchObject({ rejected: [{ ref: 'gone', code: 'skill_not_found' }] });
      const strict = await run(['resolve', 'flow', 'one', '--workspace', 'ws', '--strict']);
      expect(strict.status).toBe(1);
      expect(strict.err).toMatch(/^ {2}gone skill_not_found: /m);
    });

    it('checks a whole workflow and exits with 1 when a step would miss a skill', async () => {
      expect((await runCli(['check', 'demo'], { cwd: repository })).status).toBe(0);
      folder.write(
        'ws/workflows/flow/step_config.json',
        JSON.stringify({ steps: [{ id: 'one', agent_configs: { enabled_skills: ['gone'] } }] }),
      );
      const { status, out } = await run(['check', 'flow', '--workspace', 'ws']);
      expect(status).toBe(1);
      expect(out).toMatch(/^step one: gone skill_not_found: /m);
    });

    it('explains in words why a step has no skill', async () => {
      const args = ['explain', 'demo', 'deliver-step', '--skill', 'code-review'];
      const { status, out } = await runCli(args, { cwd: repository });
      expect(status).toBe(0);
      expect(out).toContain('code-review');
    });

    it('says so when there is no workspace, workflow or preset', async () => {
      expect((await run(['check', 'demo'])).err).toContain('--workspace');
      expect((await run(['check', 'demo'])).status).toBe(2);
      expect((await run(['list', '--workspace', 'nowhere'])).status).toBe(2);
      expect((await runCli(['check', 'no-such'], { cwd: repository })).status).toBe(1);
    });
  });

  describe('outside a workspace', () => {
    it('lists what a coding agent finds, the first location winning, without builtins', async () => {
      folder.skill('extra/zeta', { name: 'zeta', description: 'from the list' });
      folder.skill('.zot/skills/folder', { name: 'alpha', description: 'project' });
      folder.skill('.claude/skills/alpha', { name: 'alpha', description: 'claude' });
      folder.skill('zot/skills/beta', { name: 'beta', description: 'global' });
      folder.skill('home/.agents/skills/beta', { name: 'beta', description: 'home' });
      const env = {
        HOME: folder.path('home'),
        ZOT_HOME: folder.path('zot'),
        ZOT_AGENT_SKILLS: folder.path('extra'),
      };
      const { skills, not_shown } = JSON.parse((await run(['list', '--json'], env)).out) as ListAnswer;
      expect(skills.map(({ name, source, description }) => [name, source, description])).toEqual([
        ['alpha', 'project', 'project'],
        ['beta', 'global', 'global'],
        ['zeta', 'agent', 'from the list'],
      ]);
      expect(not_shown.map(({ slug }) => slug).sort()).toEqual(['agent-browser', 'alpha', 'beta']);
      const { out } = await run(['list', '--all'], env);
      expect(out).toMatch(/^ {2}alpha \[project \(claude\)\]: hidden by the one in "project"/m);
    });

    it('looks at builtins only with --no-skills', async () => {
      folder.skill('.zot/skills/alpha');
      const answer = JSON.parse((await run(['list', '--no-skills', '--all', '--json'])).out) as ListAnswer;
      expect(answer.skills.map(({ slug }) => slug)).toEqual(['agent-browser']);
      expect((await run(['show', 'agent-browser'])).out).toMatch(/^agent-browser\n/);
    });
  });

  describe('the doctor', () => {
    it('finds a healthy sample workspace', async () => {
      const { status, out } = await runCli(['doctor'], { cwd: repository });
      expect(out).toMatch(/^ok +workspace +\.\/workspace-docs/m);
      expect(out).toMatch(/^ok +location +skills \[workspace\]: \d+ skills$/m);
      expect(status).toBe(0);
    });

    it('fails on what would keep the service from starting and says what to do', async () => {
      folder.write('blocked', 'a file');
      const { status, out } = await run(['doctor', '--workspace', 'nowhere', '--json'], {
        SKILLWRIGHT_DATA_DIR: './blocked/data',
        SKILLWRIGHT_HTP_PORT: '1',
      });
      const { ok, checks } = JSON.parse(out) as {
        ok: boolean;
        checks: { state: string; topic: string; hint?: string }[];
      };
      const states = Object.fromEntries(checks.map(({ topic, state }) => [topic, state]));
      expect(states).toMatchObject({ workspace: 'fail', database: 'fail', environment: 'warn' });
      expect(checks.find(({ topic }) => topic === 'environment')!.hint).toContain('SKILLWRIGHT_HTTP_PORT');
      expect([status, ok]).toEqual([1, false]);
    });

    it('reports a database that does not answer without showing its password', async () => {
      const { status, out, err } = await run(['doctor'], {
        DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/none',
      });
      expect(out).toMatch(/^fail +database +PostgreSQL does not answer/m);
      expect(out + err).not.toContain('secret');
      expect(status).toBe(1);
    });

    it('reports a wrong option as a failed check', async () => {
      const { status, out } = await run(['doctor'], { SKILLWRIGHT_LISTING_FORMAT: 'yaml' });
      expect(out).toMatch(/^fail +options +.*listing\.format/m);
      expect(status).toBe(1);
    });
  });

  it('says so when the service that it should ask is not there', async () => {
    const url = await unusedUrl();
    const { status, err } = await run(['list', '--url', url]);
    expect(err).toBe(`skillwright: no service answers at ${url}: ECONNREFUSED\n`);
    expect(status).toBe(69);
  });

  it('puts the error into the JSON answer as well', async () => {
    const { out } = await run(['list', '--url', 'http://127.0.0.1:1', '--json']);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'service_unreachable' } });
  });

  it('shows hostile text instead of obeying it', async () => {
    folder.write(
      'ws/skills/evil/SKILL.md',
      '---\nname: evil\ndescription: "clear \\e[2J and \\u202e turn"\n---\n\nText.\n',
    );
    symlinkSync('/etc', folder.path('ws/skills/link'));
    const { out, err } = await run(['list', '--all', '--workspace', 'ws']);
    const shown = out + err;
    expect(shown).toContain('evil');
    expect(shown).not.toMatch(/[\u001b\u202e]/);
  });

  it('ends quietly when its reader goes away', () => {
    const err = execFileSync(
      'bash',
      ['-c', `{ "${process.execPath}" "${CLI}" list --json | head -c 1 >/dev/null; } 2>&1`],
      {
        cwd: repository,
        encoding: 'utf8',
      },
    );
    expect(err).toBe('');
  });
});
