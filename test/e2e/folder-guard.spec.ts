import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
});
