import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_WORKS } from '../support/bubblewrap.js';
import { runCli } from '../support/cli-runs.js';
import { startService, type TestService } from '../support/service.js';

const SKILL = 'skills/lead-research-assistant/SKILL.md';
const STEP = { workflow_id: 'demo', step_id: 'research-step' };

describe('the folder guard of a running service', () => {
  let service: TestService;
  const check = (body: unknown) => service.request('POST', '/v1/folder-guard/check', { body });

  beforeAll(async () => {
    service = await startService();
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await service.clean();
  });

  it('answers 200 with the reason, whether it allows or denies', async () => {
    expect(await check({ ...STEP, operation: 'read', path: SKILL })).toMatchObject({
      status: 200,
      body: { allow: true, because: { kind: 'skill' }, path: SKILL },
    });
    expect(await check({ ...STEP, operation: 'write', path: `./${SKILL}` })).toMatchObject({
      status: 200,
      body: { allow: false, because: { kind: 'read_only' }, path: SKILL },
    });
    expect(await check({ ...STEP, operation: 'read', path: '/etc/passwd' })).toMatchObject({
      status: 200,
      body: { allow: false, because: { kind: 'not_granted' }, path: '/etc/passwd' },
    });
  });

  it('answers 200 to what it does not understand, and denies it', async () => {
    for (const body of [
      {},
      [],
      7,
      null,
      { operation: ['read'], path: {} },
      { ...STEP, step_id: 'x'.repeat(600) },
    ]) {
      expect(await check(body)).toMatchObject({ status: 200, body: { allow: false } });
    }
  });

  it('gives the command line the same answer, with its exit status', async () => {
    const place = { cwd: service.workspace };
    const step = ['--url', service.url, '--workflow', 'demo', '--step', 'research-step'];
    const allowed = await runCli(['guard', 'check', 'read', SKILL, ...step], place);
    expect(allowed).toMatchObject({ status: 0, out: expect.stringMatching(/^allowed /) });
    const denied = await runCli(
      ['guard', 'check', 'write', SKILL, ...step, '--write', 'skills', '--json'],
      place,
    );
    expect(denied.status).toBe(1);
    expect(JSON.parse(denied.out)).toMatchObject({ allow: false, because: { kind: 'read_only' } });
    const offline = ['--workspace', service.workspace, '--write', 'out', '--to', '../secret'];
    const moved = await runCli(['guard', 'check', 'rename', 'out/a', ...offline], place);
    expect(moved).toMatchObject({ status: 1, out: expect.stringContaining('denied') });
  });

  it('says how somebody else launches a command with the grants of a step', async () => {
    const body = { ...STEP, grants: { write_paths: ['Execution'] }, env: { RUN: '7' } };
    const answer = await service.request('POST', '/v1/folder-guard/sandbox', {
      body,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        cwd: service.workspace,
        make_folders: [join(service.workspace, 'Execution')],
        mounts: expect.arrayContaining([
          expect.objectContaining({
            mode: 'read',
            target: join(service.workspace, 'skills/lead-research-assistant'),
          }),
          expect.objectContaining({ mode: 'write', target: join(service.workspace, 'Execution') }),
        ]),
        bubblewrap: expect.arrayContaining(['--clearenv', 'RUN', '--']),
      },
    });
    const refused = await service.request('POST', '/v1/folder-guard/sandbox', {
      body: { ...STEP, grants: { read_paths: ['../..'], blocked: [null] } },
    });
    expect(refused).toMatchObject({ status: 422, body: { code: 'grants_invalid' } });
    expect(refused.body['issues']).toHaveLength(2);
  });

  it('says whether it can keep commands to their grants', async () => {
    const { body } = await service.request('GET', '/readyz');
    expect(body).toMatchObject({ checks: { sandbox: { state: SANDBOX_WORKS ? 'bubblewrap' : 'none' } } });
  });

  (SANDBOX_WORKS ? it : it.skip)(
    'lets the command line run a command with the grants of a step',
    async () => {
      const place = { cwd: service.workspace, env: { SECRET: 'do not tell' } };
      const step = [
        '--url',
        service.url,
        '--workflow',
        'demo',
        '--step',
        'research-step',
        '--write',
        'Execution',
      ];
      const script = `head -1 ${SKILL}; echo x >> ${SKILL}; env > Execution/env; ls skills; exit 9`;
      const run = await runCli(['guard', 'run', ...step, '--env', 'RUN=7', '--', 'sh', '-c', script], place);
      expect(run.out).toBe('---\nlead-research-assistant\n');
      expect(run.err).toContain('Read-only');
      expect(run.status).toBe(9);
      const env = readFileSync(join(service.workspace, 'Execution/env'), 'utf8');
      expect(env).toContain('RUN=7');
      expect(env).not.toContain('do not tell');
      const late = await runCli(['guard', 'run', ...step, '--time-limit', '0.5', '--', 'sleep', '60'], place);
      expect(late).toMatchObject({ status: 124, err: expect.stringContaining('time') });
      const refused = await runCli(['guard', 'run', ...step, '--read', '/etc', '--', 'true'], place);
      expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('outside the workspace') });
    },
  );

  it('refuses on the command line to run a command that nothing would hold', async () => {
    const place = { cwd: service.workspace, env: { SKILLWRIGHT_GUARD_BUBBLEWRAP: '/nowhere/bwrap' } };
    const words = ['guard', 'run', '--workspace', service.workspace, '--write', 'Execution'];
    const refused = await runCli([...words, '--', 'echo', 'ran'], place);
    expect(refused).toMatchObject({ status: 69, out: '' });
    const told = await runCli([...words, '--allow-unsandboxed', '--', 'echo', 'ran'], place);
    expect(told).toMatchObject({ status: 0, out: 'ran\n', err: expect.stringContaining('nothing kept') });
  });
});
