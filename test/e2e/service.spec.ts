import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

interface EffectiveAnswer {
  decided_by: string;
  skills: { slug: string; mode: string; because: { kind: string; text: string }; digest: string }[];
  rejected: { ref: string; code: string; because: { text: string } }[];
  warnings: { code: string }[];
  listing: { text: string; mode: string };
  prompt: { text: string; preloaded: string[] };
  folder_guard: { read_paths: string[]; write_paths: string[] };
  attachments: { name: string; supporting_files: { path: string; content?: string | null }[] }[];
}

const STEP = '/v1/workflows/demo/steps/research-step/effective-skills';
const databases: [string, Record<string, string>][] = [['embedded', {}]];
const server = process.env['TEST_DATABASE_URL'];
if (server !== undefined) {
  const schema = `e2e_${process.pid}_service`;
  databases.push(['PostgreSQL', { DATABASE_URL: server, SKILLWRIGHT_DATABASE_SCHEMA: schema }]);
}

describe.each(databases)('the service on the %s database', (_, env) => {
  let service: TestService;
  const ask = (path: string) => service.request<EffectiveAnswer>('GET', path);

  beforeAll(async () => {
    service = await startService({ env });
  }, 60_000);

  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    await service.clean();
  });

  it('is alive and ready', async () => {
    expect((await service.request('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await service.request('GET', '/readyz')).body).toMatchObject({
      status: 'ready',
      checks: { database: { state: 'up' } },
    });
  });

  it('gives a step that overrides exactly its own skills, with reasons, listing and read-only paths', async () => {
    const { status, body } = await ask(STEP);
    expect(status).toBe(200);
    expect(body.decided_by).toBe('step');
    expect(body.skills.map(({ slug, because }) => [slug, because.kind])).toEqual([
      ['lead-research-assistant', 'step'],
      ['agent-browser', 'step'],
      ['workflow-learnings', 'pointer'],
    ]);
    expect(body.skills[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(body.listing.text).toMatch(
      /^<available_skills>\n {2}<skill name="agent-browser" slug="agent-browser">/,
    );
    expect(body.folder_guard.read_paths).toContain('skills/lead-research-assistant/');
    expect(body.folder_guard.write_paths).toEqual([]);
  });

  it('lets a step without a list inherit the preset, and [] mean none', async () => {
    expect((await ask('/v1/workflows/demo/steps/qualify-step/effective-skills')).body).toMatchObject({
      decided_by: 'preset',
      skills: [{ slug: 'lead-research-assistant' }, { slug: 'csv-profiler' }, { slug: 'workflow-learnings' }],
    });
    expect((await ask('/v1/workflows/demo/steps/deliver-step/effective-skills')).body).toMatchObject({
      decided_by: 'step',
      skills: [],
      listing: { text: '' },
      tools: [],
    });
  });

  it('puts a preloaded body into the prompt and not into the listing', async () => {
    const { body } = await ask('/v1/workflows/release-check/steps/review-step/effective-skills');
    expect(body.prompt.preloaded).toEqual(['code-review']);
    expect(body.prompt.text).toContain('# Code review');
    expect(body.listing.text).not.toContain('slug="code-review"');
  });

  it('attaches supporting files with their contents when asked', async () => {
    const { body } = await ask(`${STEP}?include=attachments,file_contents`);
    const files =
      body.attachments.find(({ name }) => name === 'lead-research-assistant')?.supporting_files ?? [];
    expect(files.map(({ path }) => path)).toContain('templates/research-template.md');
    expect(files.every(({ content }) => typeof content === 'string')).toBe(true);
  });

  it('answers 304 to a tag that still holds, and anew after the file changed', async () => {
    const file = join(service.workspace, 'workflows/demo/step_config.json');
    const before = readFileSync(file, 'utf8');
    const first = await ask(STEP);
    const etag = first.headers.get('etag') ?? '';
    await until(
      'the tag holds',
      async () => (await service.request('GET', STEP, { headers: { 'if-none-match': etag } })).status === 304,
    );
    writeFileSync(file, before.replace('"lead-research-assistant", ', ''));
    const after = await service.request<EffectiveAnswer>('GET', STEP, { headers: { 'if-none-match': etag } });
    writeFileSync(file, before);
    expect(after.status).toBe(200);
    expect(after.body.skills.map(({ slug }) => slug)).toEqual(['agent-browser', 'workflow-learnings']);
  });

  it.each([
    '/v1/presets',
    '/v1/skills',
    '/v1/skills/code-review',
    '/v1/workflows',
    '/v1/workflows/demo/step-config',
  ])('tags %s and answers 304 to its tag', async (path) => {
    const etag = (await service.request('GET', path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    const again = await service.request('GET', path, { headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  it('notices a changed skill while running', async () => {
    const folder = join(service.workspace, 'skills/code-review/SKILL.md');
    const text = readFileSync(folder, 'utf8');
    writeFileSync(folder, text.replace('description: Reviews', 'description: Freshly reviews'));
    await until('the change is served', async () => {
      const { body } = await service.request('GET', '/v1/skills/code-review');
      return String(body['description']).startsWith('Freshly');
    });
    writeFileSync(folder, text);
  });

  it.each([
    ['PUT', '/v1/workflows/demo/step-config'],
    ['PATCH', '/v1/workflows/demo/steps/new-step'],
    ['POST', '/v1/presets'],
  ])('answers 4xx to %s %s with a body nested 100,000 levels deep', async (method, path) => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const { status, body } = await service.request(method, path, { body: `{"steps":[],"x":${deep}}` });
    expect({ status, code: body['code'] }).toEqual(
      method === 'POST' ? { status: 422, code: 'preset_invalid' } : { status: 400, code: 'bad_request' },
    );
  });

  it('never offers a skill whose body is no text, and says why', async () => {
    const bytes = '---\nname: with-nul\ndescription: Has a NUL in its body.\n---\na\0b\n';
    mkdirSync(join(service.workspace, 'skills/with-nul'));
    writeFileSync(join(service.workspace, 'skills/with-nul/SKILL.md'), bytes);
    await until('the skill is known', async () => {
      return (await service.request('GET', '/v1/skills/with-nul')).status === 200;
    });
    const skill = await service.request('GET', '/v1/skills/with-nul');
    expect(skill.body).toMatchObject({
      availability: 'invalid',
      findings_count: 1,
      findings: [{ code: 'text_unstorable' }],
    });
    const file = await service.request('GET', '/v1/skills/with-nul/files/SKILL.md');
    expect(file).toMatchObject({ status: 422, body: { code: 'skill_md_invalid' } });
    rmSync(join(service.workspace, 'skills/with-nul'), { recursive: true });
  });

  it('refuses a step whose skills cannot be had when asked strictly, and says why otherwise', async () => {
    const patch = { agent_configs: { enabled_skills: ['code-review', 'no-such-skill'] } };
    expect(
      (await service.request('PATCH', '/v1/workflows/demo/steps/new-step', { body: patch })).status,
    ).toBe(200);
    const lenient = await ask('/v1/workflows/demo/steps/new-step/effective-skills');
    expect(lenient.body).toMatchObject({
      skills: [{ slug: 'code-review' }, { slug: 'workflow-learnings' }],
      rejected: [{ ref: 'no-such-skill', code: 'skill_not_found' }],
    });
    const strict = await service.request(
      'GET',
      '/v1/workflows/demo/steps/new-step/effective-skills?strict=true',
    );
    expect(strict).toMatchObject({
      status: 422,
      body: { code: 'skills_rejected', rejected: [{ ref: 'no-such-skill' }] },
    });
    expect((await service.request('GET', '/v1/workflows/demo/check')).body).toMatchObject({
      ok: false,
      problems: [{ step_id: 'new-step', ref: 'no-such-skill', code: 'skill_not_found' }],
    });
  });

  it('keeps presets: made, bound, changed by key, protected while in use', async () => {
    const made = await service.request('POST', '/v1/presets', {
      body: { label: 'Mine', selected_skills: ['log-triage'], theme: { dark: true } },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { selected_skills: ['log-triage'], theme: { dark: true } },
    });
    const id = String(made.body['id']);
    const bound = await service.request('PUT', '/v1/workflows/demo', { body: { preset_id: id } });
    expect(bound).toMatchObject({ status: 200, body: { preset_id: id } });
    expect((await ask('/v1/workflows/demo/steps/qualify-step/effective-skills')).body.skills[0]?.slug).toBe(
      'log-triage',
    );
    await service.request('PATCH', `/v1/presets/${id}`, { body: { selected_skills: null } });
    expect((await ask('/v1/workflows/demo/steps/qualify-step/effective-skills')).body).toMatchObject({
      decided_by: 'preset',
      skills: [{ slug: 'workflow-learnings' }],
    });
    expect(await service.request('DELETE', `/v1/presets/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'preset_in_use', workflows: ['demo'] },
    });
    expect((await service.request('DELETE', `/v1/presets/${id}?detach=true`)).status).toBe(204);
  });

  it('finds skills by words and says where a score comes from', async () => {
    const { status, body } = await service.request('GET', '/v1/skills/search?q=reviewing%20a%20diff&limit=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ hits: [{ slug: 'code-review', matched_terms: ['reviewing', 'diff'] }] });
    expect(
      (await service.request('GET', '/v1/skills/search?q=release-notes&limit=1&explain=true')).body,
    ).toMatchObject({ hits: [{ slug: 'custom/release-notes', explain: { named: true } }] });
    expect((await service.request('GET', '/v1/skills/search?q=')).body).toMatchObject({ hits: [], total: 0 });
    expect((await service.request('GET', '/v1/skills/search')).body).toMatchObject({ code: 'bad_request' });
  });

  it('tells an author for which prompts a description is found, and what says the same', async () => {
    const ask = (body: object) => service.request('POST', '/v1/skills/trigger-check', { body });
    const stored = await ask({ slug: 'code-review', prompts: ['review my diff', 'bake bread'] });
    expect([stored.status, stored.body]).toMatchObject([
      200,
      { prompts: [{ rank: 1, ahead: [] }, { rank: null }], near_duplicates: [], findings: [] },
    ]);
    const { description } = (await service.request('GET', '/v1/skills/code-review')).body;
    const step = { workflow_id: 'release-check', step_id: 'review-step' };
    const twin = await ask({ slug: 'twin', description, prompts: ['pull request'], ...step });
    expect(twin.body).toMatchObject({
      near_duplicates: [{ slug: 'code-review' }],
      findings: [{ code: 'description_near_duplicate', found: 'code-review' }],
    });
    expect((await ask({ slug: 'nowhere', prompts: ['x'] })).body).toMatchObject({ code: 'skill_not_found' });
    expect((await ask({ slug: 'pdf', prompts: ['x'], step_id: 's' })).body).toMatchObject({
      code: 'bad_request',
    });
  });

  it('runs agent tools within the skills of the step and nowhere else', async () => {
    const scope = { workflow_id: 'demo', step_id: 'research-step' };
    const tools = await service.request('GET', '/v1/tools?workflow_id=demo&step_id=research-step');
    expect(JSON.stringify(tools.body)).toContain('lead-research-assistant');
    const read = await service.request('POST', '/v1/tools/read_skill', {
      body: { ...scope, name: 'lead-research-assistant', path: 'templates/research-template.md' },
    });
    expect(read).toMatchObject({ status: 200, body: { encoding: 'utf-8' } });
    for (const name of ['log-triage', 'skills/log-triage', '../log-triage']) {
      const refused = await service.request('POST', '/v1/tools/skill', { body: { ...scope, name } });
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ code: 'skill_not_selected' });
      expect(JSON.stringify(refused.body)).toContain('lead-research-assistant');
    }
  });

  it('shows a skill, its files and where it is used', async () => {
    const { body } = await service.request('GET', '/v1/skills/custom/release-notes?include=usage,content');
    expect(body).toMatchObject({
      slug: 'custom/release-notes',
      usage: expect.arrayContaining([expect.objectContaining({ kind: 'step' })]),
    });
    expect((await service.request('GET', '/v1/skills/custom%2Frelease-notes')).body['id']).toBe(body['id']);
    const files = await service.request<{ files: { path: string }[] }>(
      'GET',
      '/v1/skills/custom/release-notes/files',
    );
    expect(files.body.files[0]?.path).toBe('SKILL.md');
    const raw = await service.request('GET', '/v1/skills/custom/release-notes/files/templates%2Fnotes.md', {
      headers: { accept: 'application/octet-stream' },
    });
    expect(raw.headers.get('content-security-policy')).toContain('sandbox');
  });

  it.each([
    ['GET', '/v1/workflows/demo/steps/x/effective-skills?include=everything', undefined, 400, 'bad_request'],
    ['GET', '/v1/workflows/demo/steps/x/effective-skills?nonsense=1', undefined, 400, 'bad_request'],
    ['GET', '/v1/workflows/%2e%2e%2fetc/steps/x/effective-skills', undefined, 400, 'path_invalid'],
    ['GET', '/v1/workflows/gone/steps/x/effective-skills', undefined, 404, 'workflow_not_found'],
    ['GET', `${STEP}?preset_id=gone`, undefined, 404, 'preset_not_found'],
    ['GET', '/v1/skills/gone', undefined, 404, 'skill_not_found'],
    ['GET', '/v1/skills/code-review/files/%2e%2e%2fmcp-builder%2fSKILL.md', undefined, 400, 'path_invalid'],
    ['GET', '/v1/skills/code-review/files/none.md', undefined, 404, 'file_not_found'],
    ['GET', '/v1/skills?limit=0', undefined, 400, 'bad_request'],
    ['GET', '/v1/skills?cursor=nonsense', undefined, 400, 'bad_request'],
    ['POST', '/v1/presets', '{"label": ', 400, 'bad_request'],
    ['POST', '/v1/presets', { label: 7 }, 422, 'preset_invalid'],
    ['POST', '/v1/presets', [], 400, 'bad_request'],
    ['POST', '/v1/presets', { label: 'a\u0000b' }, 422, 'preset_invalid'],
    [
      'PUT',
      '/v1/workflows/demo/step-config',
      { steps: [{ id: 'a' }, { id: 'a' }] },
      422,
      'step_config_invalid',
    ],
    ['POST', '/v1/tools/rm', { workflow_id: 'demo', step_id: 'research-step' }, 404, 'tool_not_found'],
    ['GET', '/v1/elsewhere', undefined, 404, 'not_found'],
    ['DELETE', '/v1/skills', undefined, 405, 'method_not_allowed'],
  ])('refuses %s %s with %j by %i %s', async (method, path, body, status, code) => {
    const answer = await service.request(method, path, { body });
    expect(answer).toMatchObject({ status, body: { code, status, request_id: expect.any(String) } });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it('names file, step and field of a broken step_config.json', async () => {
    const file = join(service.workspace, 'workflows/release-check/step_config.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.slice(0, 40));
    const answer = await service.request(
      'GET',
      '/v1/workflows/release-check/steps/review-step/effective-skills',
    );
    writeFileSync(file, before);
    expect(answer).toMatchObject({ status: 422, body: { code: 'step_config_invalid' } });
    expect(JSON.stringify(answer.body)).toContain('workflows/release-check/step_config.json');
  });

  it('refuses other hosts, and writes from other sites', async () => {
    expect(await rawStatus(service.url, 'GET /v1/skills HTTP/1.1\r\nHost: rebound.test')).toBe(403);
    const foreign = { headers: { origin: 'https://elsewhere.test' }, body: { label: 'x' } };
    expect(await service.request('POST', '/v1/presets', foreign)).toMatchObject({
      status: 403,
      body: { code: 'origin_refused' },
    });
  });

  it('answers addresses that no URL library would send', async () => {
    for (const target of [
      '/v1/%zz',
      '/v1/skills/code-review/files/../../x',
      '//v1/skills',
      '/v1/skills/%00',
    ]) {
      const status = await rawStatus(service.url, `GET ${target} HTTP/1.1\r\nHost: localhost`);
      expect([400, 404]).toContain(status);
    }
  });

  it('limits bodies, and takes JSON only', async () => {
    const big = { label: 'x'.repeat(1_100_000) };
    expect(await service.request('POST', '/v1/presets', { body: big })).toMatchObject({ status: 413 });
    const form = { body: 'label=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect(await service.request('POST', '/v1/presets', form)).toMatchObject({ status: 415 });
  });
});

/** Sends one request as it is written and gives the status of the answer. */
function rawStatus(url: string, head: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0));
    });
  });
}
