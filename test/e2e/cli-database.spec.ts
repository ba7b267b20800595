import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/cli-runs.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const ALL_MIGRATIONS = /^ran PresetsAndWorkflows\d+\nran StoredCatalogue\d+\n/;

describe('commands on the database', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    const { status } = await service.request('GET', '/readyz');
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await service.stop();
    await service.clean();
  });

  const run = (...args: string[]) =>
    runCli(['--workspace', service.workspace, '--data-dir', service.dataDir, ...args], {
      cwd: service.workspace,
    });

  it('verify asks the service that owns the database, and opens it itself when there is none', async () => {
    await until('the skills are stored', async () => {
      const { out } = await run('--json', 'verify');
      return (JSON.parse(out) as { checked: { versions: number } }).checked.versions > 4;
    });
    const asked = await run('verify', '--all');
    expect(asked).toMatchObject({ status: 0, err: '' });
    expect(asked.out).toMatch(/^whole: \d+ skills, \d+ versions, .* \(every version\)\n$/);
    await service.stop();
    const { out: before } = asked;
    expect(await run('verify', '--all')).toEqual({ status: 0, err: '', out: before });
  });

  it('restore brings a backup of the running service into another database, and none into one that is used', async () => {
    const elsewhere = ['--data-dir', join(service.workspace, 'restored')];
    const file = join(service.workspace, 'all.ndjson.gz');
    const counted = (text: string): string | undefined =>
      /\d+ versions, .* workflow versions?/.exec(text)?.[0];
    const running = await startService({ workspace: service.workspace, dataDir: service.dataDir });
    const { out: stored } = await run('--json', 'verify', '--all');
    expect(await run('backup', file)).toEqual({ status: 0, err: '', out: `written: ${file}\n` });
    const used = await run('restore', file);
    expect(used.status).toBe(69);
    expect(used.err).toContain(`its owner is process ${running.process.pid}`);
    await running.stop();
    expect((await run('restore', file)).err).toContain('--replace puts the backup in their place');

    const restored = await run(...elsewhere, 'restore', file);
    expect(restored).toMatchObject({ status: 0, err: '' });
    expect(counted(restored.out)).toBeDefined();
    const { out: again } = await run(...elsewhere, '--json', 'verify', '--all');
    const checked = (text: string) => (JSON.parse(text) as { ok: boolean; checked: object }).checked;
    expect(checked(again)).toMatchObject({ ...checked(stored), audit_rows: expect.any(Number) });
    const replaced = await run(...elsewhere, 'restore', file, '--replace');
    expect(replaced.status).toBe(0);
    expect(replaced.err).toMatch(/^skillwright: replaced and gone: \d+ skills/);
  }, 120_000);

  it('a backup that cannot be written or read is refused in one line', async () => {
    expect(await run('backup', join(service.workspace, 'no/such/folder/x'))).toMatchObject({
      status: 2,
      err: 'skillwright: x cannot be written: the system says ENOENT\n',
    });
    expect(await run('restore', '--replace', join(service.workspace, 'missing'))).toMatchObject({
      status: 2,
      err: 'skillwright: missing cannot be read: the system says ENOENT\n',
    });
  });

  it('verify tells by its status that something is wrong, and says what', async () => {
    writeFileSync(join(service.workspace, 'skills/.skw-0123456789abcdef'), '');
    utimesSync(join(service.workspace, 'skills/.skw-0123456789abcdef'), 1, 1);
    const { status, out } = await run('verify');
    expect(status).toBe(1);
    expect(out).toMatch(
      /^I5 skills\/\.skw-0123456789abcdef: a temporary file is older than an hour\n1 problem: /,
    );
  });

  it('migrate makes the schema of a new database, once', async () => {
    const place = ['--data-dir', join(service.workspace, 'elsewhere')];
    const first = await run(...place, 'migrate');
    expect(first).toMatchObject({ status: 0, err: '' });
    expect(first.out).toMatch(ALL_MIGRATIONS);
    expect(await run(...place, 'migrate')).toEqual({
      status: 0,
      err: '',
      out: 'nothing to run: the schema is up to date\n',
    });
  }, 60_000);

  it('a database that does not answer is a refusal in one line', async () => {
    const { status, err } = await runCli(['migrate'], {
      cwd: service.workspace,
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' },
    });
    expect(status).toBe(69);
    expect(err).toBe('skillwright: the database is not available: the server refuses connections\n');
  });
});
