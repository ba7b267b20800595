import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeGitHub } from '../support/fake-github.js';
import { startService, type TestService } from '../support/service.js';

const TOKEN = 'marker-of-a-secret';
const files = [
  { path: 'skills/table/SKILL.md', content: '---\nname: table\ndescription: Does tables.\n---\n\nDo it.\n' },
  { path: 'skills/table/run.sh', content: '#!/bin/sh\necho\n', mode: '100755' as const },
];

describe('an import over HTTP', () => {
  let github: FakeGitHub;
  let service: TestService;
  beforeAll(async () => {
    github = await FakeGitHub.start();
    service = await startService({
      env: {
        SKILLWRIGHT_GITHUB_WEB_URL: github.url,
        SKILLWRIGHT_GITHUB_API_URL: `${github.url}/api`,
        SKILLWRIGHT_LOG_LEVEL: 'debug',
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await service.clean();
    await github.stop();
  });
  const ask = (body: Record<string, unknown>) =>
    service.request('POST', '/v1/skills/import', { body: { dry_run: true, ...body } });

  it('shows what the repository holds and what would be kept', async () => {
    github.serve({ files });
    const { status, body } = await ask({ url: `${github.url}/acorn/kit/tree/main/skills/table` });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dry_run: true,
      preview: {
        source: { origin: 'github', owner: 'acorn', repo: 'kit', ref: 'main', path: 'skills/table' },
        skills: [
          {
            slug: 'table',
            action: 'create',
            files: [{ path: 'SKILL.md' }, { path: 'run.sh', mode: '0755' }],
          },
        ],
      },
    });
  });

  it('never says or logs a token', async () => {
    github.serve({ files, token: TOKEN });
    const good = await ask({ url: 'acorn/kit', token: TOKEN });
    const bad = await ask({ url: 'acorn/kit', token: `${TOKEN}-but-wrong` });
    const odd = await ask({ url: 'acorn/kit', token: `${TOKEN} with blanks` });
    expect([good.status, bad.status, bad.body['code'], odd.status]).toEqual([
      200,
      422,
      'token_rejected',
      400,
    ]);
    expect(JSON.stringify([good.body, bad.body, odd.body]) + service.stderr()).not.toContain(TOKEN);
  });

  it.each([
    [{ url: 'https://127.0.0.1/acorn/kit' }, 422, 'source_url_invalid'],
    [{ url: 'not an address' }, 422, 'source_url_invalid'],
    [{ url: 'acorn/gone' }, 422, 'source_not_found'],
    [{ url: 'acorn/kit', dry_run: false }, 422, 'import_unavailable'],
    [{}, 400, 'bad_request'],
    [{ url: 'acorn/kit', tokens: 'x' }, 400, 'bad_request'],
  ])('refuses %j', async (body, status, code) => {
    github.serve({ files });
    const answer = await ask(body);
    expect({ status: answer.status, code: answer.body['code'] }).toEqual({ status, code });
  });

  it('gives the time when GitHub answers no more', async () => {
    const headers = { 'retry-after': '120' };
    github.serve({ files, answers: [{ on: 1, status: 429, headers }] });
    const { status, body, headers: sent } = await ask({ url: 'acorn/kit' });
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'source_rate_limited' });
    expect(Number(sent.get('retry-after'))).toBeGreaterThanOrEqual(120);
  });
});

describe('an export over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    await service.stop();
    await service.clean();
  });

  it.each(['zip', 'skill', 'tar.gz'])('comes in again as %s without any difference', async (format) => {
    const { status, headers } = await service.request(
      'GET',
      `/v1/skills/code-review/export?format=${format}`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain(`code-review.${format}`);
    const response = await fetch(`${service.url}/v1/skills/code-review/export?format=${format}`);
    const form = new FormData();
    form.append('dry_run', 'true');
    form.append('file', new Blob([await response.arrayBuffer()]), 'x');
    const again = await fetch(`${service.url}/v1/skills/upload`, { method: 'POST', body: form });
    expect(await again.json()).toMatchObject({
      preview: { skills: [{ slug: 'code-review', action: 'unchanged' }] },
    });
    const etag = headers.get('etag') ?? '';
    const known = await service.request('GET', `/v1/skills/code-review/export?format=${format}`, {
      headers: { 'if-none-match': etag },
    });
    expect(known.status).toBe(304);
  });

  it('puts several skills into one archive, custom ones too', async () => {
    const response = await fetch(`${service.url}/v1/skills/export?ids=code-review,custom%2Frelease-notes`);
    const form = new FormData();
    form.append('dry_run', 'true');
    form.append('select', '*');
    form.append('replace', 'true');
    form.append('file', new Blob([await response.arrayBuffer()]), 'x');
    const again = await fetch(`${service.url}/v1/skills/upload`, { method: 'POST', body: form });
    expect(await again.json()).toMatchObject({
      preview: { candidates: [{ path: 'code-review' }, { path: 'custom/release-notes' }] },
    });
    const missing = await service.request('GET', '/v1/skills/export?ids=code-review,none');
    expect(missing).toMatchObject({ status: 404, body: { code: 'skill_not_found' } });
  });

  it('answers the plain form of a custom skill', async () => {
    const { status, headers } = await service.request('GET', '/v1/skills/custom/release-notes/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
  });
});
