import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli-runs.js';
import { startService, type TestService } from '../support/service.js';
import { TempFolder } from '../support/temp-folder.js';
import { zipOf } from '../support/zip-bytes.js';

interface Preview {
  dry_run: boolean;
  code?: string;
  detail?: string;
  preview: {
    source: Record<string, unknown>;
    candidates: { path: string }[];
    skills: {
      slug: string;
      action: string;
      because: string;
      enabled: boolean;
      files: { path: string; mode: string; size: number }[];
      overwrites: { version: number } | null;
      changes: Record<string, string[]>;
      findings: { code: string }[];
    }[];
  };
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`;
const TOOL = zipOf([
  { name: 'tool/SKILL.md', data: skill('tool') },
  { name: 'tool/run.sh', data: 'echo\n', mode: 0o100755 },
]);

describe('an uploaded archive', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    await service.clean();
  });

  async function upload(
    archive: Buffer,
    fields: Record<string, string> = { dry_run: 'true' },
  ): Promise<{ status: number; body: Preview; headers: Headers }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(archive)]), 'any.zip');
    const response = await fetch(`${service.url}/v1/skills/upload`, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as Preview, headers: response.headers };
  }

  it('is shown before it is kept: files with sizes and modes, and what it would do', async () => {
    const { status, body } = await upload(TOOL);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dry_run: true,
      preview: {
        source: { origin: 'zip', size: TOOL.length },
        candidates: [{ path: 'tool', name: 'tool' }],
        skills: [
          {
            slug: 'tool',
            action: 'create',
            enabled: true,
            overwrites: null,
            frontmatter: { name: 'tool' },
            files: [
              { path: 'SKILL.md', mode: '0644', kind: 'skill' },
              { path: 'run.sh', mode: '0755', kind: 'text', size: 5 },
            ],
          },
        ],
      },
    });
    expect(readdirSync(join(service.workspace, 'skills'))).not.toContain('tool');
  });

  it('would overwrite only what the caller allows, and says what would change', async () => {
    const archive = zipOf([{ name: 'SKILL.md', data: skill('code-review') }]);
    const refused = await upload(archive);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'skill_exists',
      preview: { skills: [{ action: 'refused', overwrites: { slug: 'code-review', version: 1 } }] },
    });
    const allowed = await upload(archive, { dry_run: 'true', replace: 'true' });
    expect(allowed.status).toBe(200);
    const [row] = allowed.body.preview.skills;
    expect(row).toMatchObject({ action: 'replace', changes: { added: [], changed: ['SKILL.md'] } });
    expect(row?.changes['removed']).toContain('templates/review.md');
  });

  it('may not take the name of a builtin skill, and says when it would hide a bundled one', async () => {
    const builtin = await upload(zipOf([{ name: 'SKILL.md', data: skill('agent-browser') }]));
    expect(builtin).toMatchObject({ status: 409, body: { code: 'skill_protected' } });
    const { body } = await upload(zipOf([{ name: 'SKILL.md', data: skill('pdf') }]));
    expect(body.preview.skills[0]?.findings.map(({ code }) => code)).toContain('shadows_bundled');
  });

  it('lists the skills it holds when none is named, and takes those that are', async () => {
    const archive = zipOf(['a', 'b', 'c'].map((name) => ({ name: `s/${name}/SKILL.md`, data: skill(name) })));
    const { status, body } = await upload(archive);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'skill_md_ambiguous' });
    expect(body.preview.candidates.map(({ path }) => path)).toEqual(['s/a', 's/b', 's/c']);
    const chosen = await upload(archive, { dry_run: 'true', select: 's/a,c' });
    expect(chosen.body.preview.skills.map(({ slug }) => slug)).toEqual(['a', 'c']);
  });

  it.each([
    ['a path that climbs', zipOf([{ name: '../x/SKILL.md', data: skill('x') }]), 422, 'archive_path_unsafe'],
    ['a link', zipOf([{ name: 'x', data: '/etc/passwd', mode: 0o120777 }]), 422, 'archive_entry_type'],
    ['other bytes', Buffer.from('hello'), 422, 'archive_invalid'],
    ['nothing', Buffer.alloc(0), 422, 'archive_invalid'],
    ['no skill', zipOf([{ name: 'readme.txt' }]), 422, 'skill_md_missing'],
    ['a bomb', zipOf([{ name: 'z', data: Buffer.alloc(2_000_000) }]), 413, 'archive_too_large'],
    ['21 MiB', Buffer.alloc(21 * 1_048_576), 413, 'payload_too_large'],
    [
      'a broken SKILL.md',
      zipOf([{ name: 'SKILL.md', data: '---\nname: "x\n---\n' }]),
      422,
      'skill_md_invalid',
    ],
    ['no name at all', zipOf([{ name: 'SKILL.md', data: skill('No Name') }]), 422, 'skill_name_invalid'],
  ])('is refused for %s', async (_kind, archive, status, code) => {
    const answer = await upload(archive);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(answer.body.detail).toMatch(/\S+ \S+/);
  });

  it('is not kept yet, and says so', async () => {
    const { status, body } = await upload(TOOL, {});
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'import_unavailable' });
  });

  it('is refused when the form is not as it should be', async () => {
    const part = (name: string, file = '', data = 'x'): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${data}\r\n`;
    const isFile = '; filename="a.zip"';
    const post = async (
      body: string,
      type = 'multipart/form-data; boundary=b',
    ): Promise<[number, unknown]> => {
      const answer = await service.request('POST', '/v1/skills/upload', {
        body,
        headers: { 'content-type': type },
      });
      return [answer.status, answer.body['code']];
    };
    expect(await post('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
    expect(await post('x', 'multipart/form-data')).toEqual([415, 'unsupported_media_type']);
    expect(await post('x', 'multipart/form-data; charset=x')).toEqual([400, 'bad_request']);
    expect(await post('no boundary in it')).toEqual([400, 'bad_request']);
    expect(await post(part('file', isFile))).toEqual([400, 'bad_request']);
    expect(await post(`${part('dry_run')}--b--\r\n`)).toEqual([400, 'bad_request']);
    expect(await post(`${part('file', isFile)}${part('file', isFile)}--b--\r\n`)).toEqual([
      400,
      'bad_request',
    ]);
    expect(await post(`${part('', isFile)}--b--\r\n`)).toEqual([400, 'bad_request']);
    expect(await post(`${part('other')}${part('file', isFile)}--b--\r\n`)).toEqual([400, 'bad_request']);
    expect(await post(`${part('x').repeat(10_000)}--b--\r\n`)).toEqual([400, 'bad_request']);
    expect((await service.request('GET', '/healthz')).status).toBe(200);
  });

  it('gives its place back when the sender goes away, and refuses more than four at once', async () => {
    const head =
      'POST /v1/skills/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
      'Content-Length: 1000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nPK';
    const { port } = new URL(service.url);
    const open: Socket[] = [];
    let answer = await upload(TOOL);
    while (answer.status === 200) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined).write(head);
      open.push(socket);
      answer = await upload(TOOL);
    }
    expect(answer.body.code).toBe('busy');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const socket of open) socket.destroy();
    while (answer.status !== 200) answer = await upload(TOOL);
    expect(answer.body.preview.skills[0]?.slug).toBe('tool');
  });
});

describe('skillwright validate with an archive', () => {
  let folder: TempFolder;
  beforeAll(() => {
    folder = new TempFolder();
    mkdirSync(folder.path('in'));
    writeFileSync(folder.path('good.skill'), TOOL);
    writeFileSync(folder.path('bad.zip'), zipOf([{ name: '../SKILL.md', data: skill('x') }]));
    writeFileSync(folder.path('odd.zip'), zipOf([{ name: 'a/SKILL.md', data: skill('Not Canonical') }]));
  });
  afterAll(() => {
    folder.remove();
  });
  const run = (...args: string[]) => runCli(['validate', ...args], { cwd: folder.dir });

  it('judges its skills as an import would, and names places inside it', async () => {
    expect(await run('good.skill')).toMatchObject({ status: 0, out: '1 skill checked: no findings\n' });
    const { out } = await run('odd.zip');
    expect(out).toMatch(/^odd\.zip!a\/SKILL\.md:2:\d+ warning name_nonconforming/m);
  });

  it('exits 1 for an archive that would be refused, and says why', async () => {
    const { status, out } = await run('bad.zip');
    expect(status).toBe(1);
    expect(out).toContain('bad.zip error archive_refused');
    expect(out).toContain('archive_path_unsafe');
    expect((await run('none.zip')).status).toBe(1);
  });
});
