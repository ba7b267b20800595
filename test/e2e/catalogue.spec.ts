import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databases, onServer } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

interface VersionList {
  readonly versions: readonly {
    readonly version: number;
    readonly digest: string;
    readonly actor: string;
    readonly message: string | null;
  }[];
  readonly current: number;
  readonly labels: Readonly<Record<string, number>>;
}

describe.each(databases())('the catalogue of a running service ($kind)', ({ kind }) => {
  const schema = `e2e_catalogue_${process.pid}`;
  const env: Record<string, string> =
    kind === 'postgres'
      ? { DATABASE_URL: process.env['TEST_DATABASE_URL'] ?? '', SKILLWRIGHT_DATABASE_SCHEMA: schema }
      : {};
  let service: TestService;

  const get = async <Body>(path: string): Promise<Body> => (await service.request<Body>('GET', path)).body;
  const post = (path: string, body: unknown) => service.request('POST', path, { body });
  const versionsOf = (slug: string) => get<VersionList>(`/v1/skills/${slug}/versions`);
  const currentOf = async (slug: string): Promise<number> => (await versionsOf(slug)).current;
  const inWorkspace = (...path: string[]): string => join(service.workspace, ...path);
  const effective = async (step: string) =>
    get<{
      skills: { slug: string; version: number; digest: string }[];
      rejected: { ref: string; code: string }[];
    }>(`/v1/workflows/demo/steps/${step}/effective-skills`);
  const selects = (step: string, refs: readonly string[]) =>
    service.request('PATCH', `/v1/workflows/demo/steps/${step}`, {
      body: { agent_configs: { enabled_skills: refs } },
    });

  beforeAll(async () => {
    service = await startService({ env });
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await service.clean();
    if (kind === 'postgres') await onServer(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });

  it('makes one version of each edit, of a text or a script, and none of a touch', async () => {
    expect(await currentOf('csv-profiler')).toBe(1);
    appendFileSync(inWorkspace('skills/csv-profiler/SKILL.md'), '\nAlso counts blank cells.\n');
    await until('the edit is a version', async () => (await currentOf('csv-profiler')) === 2);
    expect(await get<string>('/v1/skills/csv-profiler?include=content')).toMatchObject({
      content: expect.stringContaining('Also counts blank cells.'),
    });
    writeFileSync(inWorkspace('skills/csv-profiler/scripts/extra.sh'), '#!/bin/sh\necho extra\n');
    chmodSync(inWorkspace('skills/csv-profiler/scripts/extra.sh'), 0o755);
    await until('the script is a version', async () => (await currentOf('csv-profiler')) === 3);
    const now = new Date();
    utimesSync(inWorkspace('skills/csv-profiler/SKILL.md'), now, now);
    appendFileSync(inWorkspace('skills/log-triage/SKILL.md'), '\nA sign that the touch was passed.\n');
    await until('a later edit is a version', async () => (await currentOf('log-triage')) === 2);
    expect(await currentOf('csv-profiler')).toBe(3);
  });

  it('tells who made a version, shows what differs, and restores', async () => {
    const { versions } = await versionsOf('csv-profiler');
    expect(versions.map(({ version, actor }) => [version, actor])).toEqual([
      [3, 'edit on disk'],
      [2, 'edit on disk'],
      [1, 'edit on disk'],
    ]);
    expect(await get('/v1/skills/csv-profiler/diff?from=1&to=3')).toMatchObject({
      from: 1,
      to: 3,
      files: [
        { path: 'SKILL.md', change: 'changed', diff: expect.stringContaining('+Also counts blank cells.') },
        { path: 'scripts/extra.sh', change: 'added', after: { mode: '0755' } },
      ],
    });
    const restored = await post('/v1/skills/csv-profiler/versions/1/restore', { message: 'too chatty' });
    expect(restored).toMatchObject({ status: 200, body: { version: 4, digest: versions[2]?.digest } });
    expect((await versionsOf('csv-profiler')).versions[0]).toMatchObject({
      actor: 'local admin',
      message: 'too chatty',
    });
    expect(readFileSync(inWorkspace('skills/csv-profiler/SKILL.md'), 'utf8')).not.toContain('blank cells');
    expect(existsSync(inWorkspace('skills/csv-profiler/scripts/extra.sh'))).toBe(false);
    expect((await post('/v1/skills/csv-profiler/versions/9/restore', {})).body['code']).toBe(
      'version_not_found',
    );
  });

  it('edits content under the tag that the editor saw, and metadata without touching the rest', async () => {
    const path = '/v1/skills/lead-research-assistant';
    const read = await service.request<{ content: string; version: number }>(
      'GET',
      `${path}?include=content`,
    );
    const tag = read.headers.get('etag') ?? '';
    const text = `${read.body.content.trimEnd()}\n\nSay where each fact comes from.\n`;
    const put = (headers: Record<string, string>) =>
      service.request('PUT', `${path}/content`, {
        body: text,
        headers: { 'content-type': 'text/markdown', ...headers },
      });
    expect(await put({})).toMatchObject({ status: 428, body: { code: 'match_required' } });
    expect(await put({ 'if-match': tag })).toMatchObject({ status: 200, body: { version: 2 } });
    expect(readFileSync(inWorkspace('skills/lead-research-assistant/SKILL.md'), 'utf8')).toBe(text);
    expect(await put({ 'if-match': tag })).toMatchObject({ status: 412, body: { code: 'version_conflict' } });
    const broken = await service.request('PUT', `${path}/content`, {
      body: { content: 'no frontmatter' },
      headers: { 'if-match': '*' },
    });
    expect(broken).toMatchObject({ status: 422, body: { code: 'skill_md_invalid' } });

    const named = await service.request('PUT', path, {
      body: { description: 'Finds facts: with sources.', enabled: false },
    });
    expect(named.body).toMatchObject({
      version: 3,
      enabled: true,
      description: 'Finds facts: with sources.',
    });
    const edited = readFileSync(inWorkspace('skills/lead-research-assistant/SKILL.md'), 'utf8');
    const withoutDescription = (all: string) => all.replace(/^description:.*$/m, '');
    expect(withoutDescription(edited)).toBe(withoutDescription(text));
  });

  it('writes and removes single files of a skill, each as a version', async () => {
    const path = '/v1/skills/lead-research-assistant';
    const file = `${path}/files/scripts/count.sh`;
    const bytes = Buffer.from([0x23, 0x21, 0x00, 0xff]);
    const write = await service.request('PUT', `${file}?mode=0755&message=counts`, {
      body: bytes,
      headers: { 'if-match': '*', 'content-type': 'application/octet-stream' },
    });
    expect(write).toMatchObject({ status: 200, body: { version: 4 } });
    expect(readFileSync(inWorkspace('skills/lead-research-assistant/scripts/count.sh'))).toEqual(bytes);
    expect(await get(file)).toMatchObject({ mode: '0755', encoding: 'base64', size: 4 });
    for (const bad of ['SKILL.md/x', '.git/config', 'scripts/count.sh/deeper']) {
      const refused = await service.request('PUT', `${path}/files/${bad}`, {
        body: 'x',
        headers: { 'if-match': '*', 'content-type': 'text/plain' },
      });
      expect(refused).toMatchObject({ status: 400, body: { code: 'path_invalid' } });
    }
    const gone = await service.request('DELETE', file, { headers: { 'if-match': '*' } });
    expect(gone.status).toBe(204);
    expect(existsSync(inWorkspace('skills/lead-research-assistant/scripts/count.sh'))).toBe(false);
    expect((await versionsOf('lead-research-assistant')).versions[1]).toMatchObject({ message: 'counts' });
    const bundled = await service.request('PUT', '/v1/skills/pdf', { body: { description: 'mine' } });
    expect(bundled).toMatchObject({ status: 409, body: { code: 'skill_protected', hint: 'fork' } });
  });

  it('hides a skill that is switched off from agents and shows it to people', async () => {
    await selects('switch', ['code-review', 'log-triage']);
    const off = await post('/v1/skills/code-review/toggle', { enabled: false, message: 'under review' });
    expect(off.body).toEqual({ ok: true, enabled: false, status: 'active' });
    const answer = await effective('switch');
    expect(answer.skills.map(({ slug }) => slug)).not.toContain('code-review');
    expect(answer.rejected).toMatchObject([{ ref: 'code-review', code: 'skill_disabled' }]);
    expect(await get('/v1/skills/code-review')).toMatchObject({
      enabled: false,
      availability: 'disabled',
      disabled_reason: 'under review',
    });
    expect(await get<object>('/v1/skills/search?q=code%20review')).not.toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ slug: 'code-review' })]),
    });
    await post('/v1/skills/code-review/toggle', { enabled: true });
    expect((await effective('switch')).skills.map(({ slug }) => slug)).toContain('code-review');
  });

  it('resolves references to a version, a digest and a label, and refuses what was revoked', async () => {
    const { versions } = await versionsOf('csv-profiler');
    const second = versions.find(({ version }) => version === 2);
    await post('/v1/skills/csv-profiler/labels/stable', { version: 2 });
    for (const ref of ['csv-profiler@2', `csv-profiler@${second?.digest}`, 'csv-profiler@stable']) {
      await selects('pins', [ref]);
      expect((await effective('pins')).skills[0]).toMatchObject({ version: 2, digest: second?.digest });
    }
    await selects('pins', ['csv-profiler@9', 'csv-profiler@nowhere']);
    expect((await effective('pins')).rejected.map(({ code }) => code)).toEqual([
      'version_not_found',
      'label_not_found',
    ]);
    await selects('pins', ['csv-profiler@stable', 'csv-profiler']);
    await post('/v1/skills/csv-profiler/labels/stable', { version: 3 });
    expect((await effective('pins')).skills[0]).toMatchObject({ version: 3 });
    await post('/v1/skills/csv-profiler/revoke', { version: 3, reason: 'leaks a path' });
    expect((await effective('pins')).rejected).toMatchObject([
      { ref: 'csv-profiler@stable', code: 'skill_revoked' },
    ]);
    const restore = await post('/v1/skills/csv-profiler/versions/3/restore', {});
    expect(restore).toMatchObject({ status: 409, body: { code: 'skill_revoked' } });
  });

  it('keeps the last good version when a save breaks the file, and says so', async () => {
    const path = inWorkspace('skills/mcp-builder/SKILL.md');
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, '---\nname: mcp-builder\n');
    await until('the broken save is told', async () => {
      const skill = await get<{ findings: { code: string }[] }>('/v1/skills/mcp-builder');
      return skill.findings.some(({ code }) => code === 'last_good_kept');
    });
    expect(await get('/v1/skills/mcp-builder')).toMatchObject({ availability: 'available', version: 1 });
    writeFileSync(path, good.replace('---\n', '---\nauthor: someone else\n'));
    await until('the repair is a version', async () => (await currentOf('mcp-builder')) === 2);
    const repaired = await get<{ author: string; findings: { code: string }[] }>('/v1/skills/mcp-builder');
    expect(repaired.author).toBe('someone else');
    expect(repaired.findings.map(({ code }) => code)).not.toContain('last_good_kept');
  });

  it('keeps every version of the steps of a workflow, edited on disk or through the door', async () => {
    const path = inWorkspace('workflows/release-check/step_config.json');
    const first = readFileSync(path, 'utf8');
    interface Configs {
      readonly versions: readonly { readonly version: number; readonly actor: string }[];
    }
    const configs = () => get<Configs>('/v1/workflows/release-check/step-config/versions');
    const newest = async (): Promise<number> => (await configs()).versions[0]?.version ?? 0;
    const begun = await newest();
    writeFileSync(path, first.replace('{', '{ '));
    await until('the edit on disk is a version', async () => (await newest()) === begun + 1);
    const patch = { agent_configs: { enabled_skills: ['pdf'] } };
    await service.request('PATCH', '/v1/workflows/release-check/steps/added?message=needed', { body: patch });
    expect((await configs()).versions.slice(0, 2)).toMatchObject([
      { version: begun + 2, actor: 'local admin', message: 'needed' },
      { version: begun + 1, actor: 'edit on disk' },
    ]);
    const restored = await post(`/v1/workflows/release-check/step-config/versions/${begun}/restore`, {});
    expect(restored.status).toBe(200);
    expect(readFileSync(path, 'utf8')).toBe(first);
    writeFileSync(path, '{"steps": [');
    appendFileSync(inWorkspace('workflows/demo/step_config.json'), '\n');
    rmSync(path);
    await until('the removal is a version', async () => (await newest()) === begun + 4);
    const back = await post(`/v1/workflows/release-check/step-config/versions/${begun}/restore`, {});
    expect(back.status).toBe(200);
    expect(readFileSync(path, 'utf8')).toBe(first);
  });

  it('deletes softly a skill whose folder was removed, and brings it back on request', async () => {
    const before = await get<{ id: string; version: number }>('/v1/skills/log-triage');
    rmSync(inWorkspace('skills/log-triage'), { recursive: true });
    await until('the skill is gone', async () => {
      return (await service.request('GET', '/v1/skills/log-triage')).status === 404;
    });
    await selects('gone', ['log-triage']);
    expect((await effective('gone')).rejected).toMatchObject([{ code: 'skill_deleted' }]);
    expect(await get('/v1/skills?status=deleted')).toMatchObject({ skills: [{ slug: 'log-triage' }] });
    const restored = await post(`/v1/skills/${before.id}/versions/${before.version}/restore`, {});
    expect(restored.body).toMatchObject({ id: before.id, version: before.version + 1 });
    expect(existsSync(inWorkspace('skills/log-triage/SKILL.md'))).toBe(true);
  });

  it('moves a skill with the references to it, and keeps its id and its old address', async () => {
    const old = await get<{ id: string }>('/v1/skills/custom%2Frelease-notes');
    await selects('moved', ['custom/release-notes', 'pdf']);
    const taken = await post('/v1/skills/custom/release-notes/move', { slug: 'code-review' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'skill_exists' } });
    const wrong = await post('/v1/skills/custom/release-notes/move', { slug: 'a b' });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'skill_name_invalid' } });
    const moved = await post('/v1/skills/custom/release-notes/move', {
      slug: 'release-notes',
      message: 'promoted',
    });
    expect(moved).toMatchObject({ status: 200, body: { id: old.id, slug: 'release-notes' } });
    expect(existsSync(inWorkspace('skills/release-notes/SKILL.md'))).toBe(true);
    expect(existsSync(inWorkspace('skills/custom/release-notes'))).toBe(false);
    const steps = readFileSync(inWorkspace('workflows/demo/step_config.json'), 'utf8');
    expect(steps).toContain('"release-notes"');
    expect(steps).not.toContain('custom/release-notes');
    expect((await effective('moved')).skills[0]).toMatchObject({ slug: 'release-notes' });
    expect(await get('/v1/skills/custom%2Frelease-notes')).toMatchObject({
      id: old.id,
      slug: 'release-notes',
    });
  });

  it('deletes a skill in use only when told to take it out where it is named', async () => {
    const preset = await service.request<{ id: string }>('POST', '/v1/presets', {
      body: { label: 'Nightly', selected_skills: ['release-notes', 'pdf'] },
    });
    await selects('last', ['release-notes']);
    const refused = await service.request('DELETE', '/v1/skills/release-notes');
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'skill_in_use',
        places: expect.arrayContaining([
          expect.objectContaining({ kind: 'preset', label: 'Nightly' }),
          expect.objectContaining({ kind: 'step', workflow_id: 'demo', step_id: 'last' }),
        ]),
      },
    });
    expect((await service.request('DELETE', '/v1/skills/release-notes?detach=true')).status).toBe(204);
    expect((await service.request('GET', '/v1/skills/release-notes')).status).toBe(404);
    expect(existsSync(inWorkspace('skills/release-notes'))).toBe(false);
    expect(await get(`/v1/presets/${preset.body.id}`)).toMatchObject({ selected_skills: ['pdf'] });
    const last = await effective('last');
    expect(last).toMatchObject({ decided_by: 'step', rejected: [] });
    expect(last.skills.map(({ slug }) => slug)).not.toContain('pdf');
    const system = await service.request('DELETE', '/v1/skills/xlsx');
    expect(system).toMatchObject({ status: 409, body: { code: 'skill_protected' } });
  });

  it('deletes nothing when the folder of all skills is emptied, and says why it is not well', async () => {
    const total = (await get<{ total: number }>('/v1/skills')).total;
    rmSync(inWorkspace('skills'), { recursive: true });
    await until('the loss is told', async () => {
      const ready = await get<{ status: string; checks: { locations: { state: string } } }>('/readyz');
      return ready.checks.locations.state === 'vanished';
    });
    expect((await get<{ total: number }>('/v1/skills')).total).toBe(total);
    expect((await effective('switch')).skills.map(({ slug }) => slug)).toContain('code-review');
    const file = await get('/v1/skills/code-review/files/SKILL.md');
    expect(file).toMatchObject({ content: expect.stringContaining('name: code-review') });
  });

  it('puts everything back when the whole workspace was removed while it was down', async () => {
    const before = await get<{ skills: { slug: string; digest: string; layer: string }[] }>('/v1/skills');
    expect(await service.stop()).toBe(0);
    rmSync(service.workspace, { recursive: true });
    service = await startService({ env, workspace: service.workspace, dataDir: service.dataDir });
    await until('the workflow is back', () =>
      Promise.resolve(existsSync(inWorkspace('workflows/release-check/step_config.json'))),
    );
    await until('the folders are back', () =>
      Promise.resolve(existsSync(inWorkspace('skills/code-review/SKILL.md'))),
    );
    const after = await get<{ skills: { slug: string; digest: string; layer: string }[] }>('/v1/skills');
    const facts = (list: typeof before) =>
      list.skills.map(({ slug, layer, digest }) => [slug, layer, digest]);
    expect(facts(after)).toEqual(facts(before));
    expect(await get('/readyz')).toMatchObject({ status: 'ready' });
  });
});
