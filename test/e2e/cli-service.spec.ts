import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli-runs.js';
import { startService, type TestService } from '../support/service.js';
import { TempFolder } from '../support/temp-folder.js';

const PRESET = '7a0c2b1e-5d0e-4a57-8c3c-0f6f2f6f9a01';

describe('the command line beside a running service', () => {
  let service: TestService;
  let folder: TempFolder;
  const run = (...args: string[]) => runCli(args, { cwd: folder.dir });

  beforeAll(async () => {
    folder = new TempFolder();
    service = await startService();
    const preset = { id: PRESET, label: 'Only in the database', selected_skills: ['log-triage'] };
    const created = await service.request('POST', '/v1/presets', { body: preset });
    expect(created.status).toBe(201);
  });
  afterAll(async () => {
    await service.stop();
    await service.clean();
    folder.remove();
  });

  it('asks the owner of the data folder, which knows presets that no file holds', async () => {
    const args = ['resolve', 'demo', 'qualify-step', '--preset', PRESET, '--json'];
    const place = ['--data-dir', service.dataDir, '--workspace', service.workspace];
    const { status, out, err } = await run(...args, ...place);
    expect(err).toBe('');
    const answer = JSON.parse(out) as { preset_id: string; skills: { slug: string }[] };
    expect(answer.preset_id).toBe(PRESET);
    expect(answer.skills.map(({ slug }) => slug)).toContain('log-triage');
    expect(status).toBe(0);
  });

  it('gives the same answers as over HTTP', async () => {
    const { out } = await run('show', 'custom/release-notes', '--url', service.url, '--json');
    const { body } = await service.request('GET', '/v1/skills/custom%2Frelease-notes');
    expect(JSON.parse(out)).toMatchObject({ digest: body['digest'], slug: 'custom/release-notes' });
    expect((await run('list', '--url', service.url)).out).toMatch(/^code-review +workspace/m);
    const check = await service.request('GET', '/v1/workflows/demo/check');
    const asked = await run('check', 'demo', '--url', `${service.url}/`, '--json');
    expect(JSON.parse(asked.out)).toEqual(check.body);
    expect(asked.status).toBe(check.body['ok'] === true ? 0 : 1);
  });

  it('hands on what the service refuses, with its code and exit status', async () => {
    const { status, out, err } = await run('show', 'nothing', '--url', service.url, '--json');
    expect(status).toBe(1);
    expect(err).toMatch(/^skillwright: .*nothing/);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'skill_not_found' } });
  });

  it('does not ask a service that serves another workspace', async () => {
    folder.skill('other/skills/mine');
    const { out } = await run('list', '--workspace', 'other', '--data-dir', service.dataDir);
    expect(out).toMatch(/^mine +workspace/m);
    expect(out).not.toContain('code-review');
  });

  it('reports the state of the service in the diagnosis', async () => {
    const { status, out } = await run(
      'doctor',
      '--data-dir',
      service.dataDir,
      '--workspace',
      service.workspace,
    );
    expect(out).toMatch(/^ok +service +http:\/\/\S+ is ready: /m);
    expect(status).toBe(0);
  });

  it('does not take any web server for a service', async () => {
    const server = createServer((_request, response) => response.end('{"skills":[]}')).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { status, err } = await run('list', '--url', `http://127.0.0.1:${port}`);
    server.close();
    expect(status).toBe(69);
    expect(err).toContain('is not a Skillwright service');
  });
});
