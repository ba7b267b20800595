import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { ImportService } from '../../../src/github-import/import.service.js';
import { type ImportChoice, type StagedImport } from '../../../src/github-import/staged-import.js';
import { CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { COMMIT, FakeGitHub, type FakeFile, type FakeRepository } from '../../support/fake-github.js';

const skill = (name: string, folder = `skills/${name}`): FakeFile => ({
  path: folder === '' ? 'SKILL.md' : `${folder}/SKILL.md`,
  content: `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`,
});
const TABLE: readonly FakeFile[] = [
  { path: 'README.md', content: '# kit\n' },
  skill('table'),
  { path: 'skills/table/run.py', content: 'print(1)\n', mode: '100755' },
  { path: 'skills/table/notes.md', content: 'notes\n' },
];
const IN_FOLDER = 'https://github.com/acorn/kit/tree/main/skills/table';

describe('an import from GitHub', () => {
  let github: FakeGitHub;
  let slept: number[];
  let now = Date.parse('2026-01-01T00:00:00Z');

  beforeAll(async () => {
    github = await FakeGitHub.start();
  });
  afterAll(() => github.stop());

  interface Ask extends Partial<ImportChoice> {
    readonly ref?: string;
    readonly token?: string;
    readonly mayUseServiceToken?: boolean;
  }
  function service(options: Parameters<typeof resolveOptions>[0] = {}): ImportService {
    slept = [];
    const resolved = resolveOptions({ ...options, watch: { enabled: false } });
    return new ImportService(resolved, new CatalogService(resolved, new WorkspaceFiles()), {
      fetch: github.fetch,
      now: () => now,
      sleep: (ms) => Promise.resolve(void slept.push(ms)),
      random: () => 0,
    });
  }
  function stage(url: string, ask: Ask = {}, imports = service()): Promise<StagedImport> {
    const { ref = null, token = null, mayUseServiceToken = true, select = null, as = null } = ask;
    return imports.stageGitHub({ url, ref, token, mayUseServiceToken }, { select, as });
  }
  const serve = (files: readonly FakeFile[], more: Partial<FakeRepository> = {}): void => {
    github.serve({ files, ...more });
  };
  const pathsOf = ({ skills }: StagedImport): string[] => skills[0]!.files.map(({ path }) => path);

  it('brings the folder with its files, modes and origin, and nothing around it', async () => {
    serve(TABLE);
    const staged = await stage(IN_FOLDER);
    expect(staged.skills).toHaveLength(1);
    expect(staged.skills[0]).toMatchObject({
      slug: 'table',
      findings: [],
      provenance: {
        origin: 'github',
        host: 'github.com',
        owner: 'acorn',
        repo: 'kit',
        repositoryId: 7,
        ref: 'main',
        commit: COMMIT,
        path: 'skills/table',
        tree: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
        url: `https://github.com/acorn/kit/tree/${COMMIT}/skills/table`,
      },
    });
    expect(staged.skills[0]!.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['SKILL.md', '0644'],
      ['notes.md', '0644'],
      ['run.py', '0755'],
    ]);
  });

  it('finds out which part of the address is a branch with slashes', async () => {
    serve(TABLE, { refs: { 'feature/fast': COMMIT } });
    for (const branch of ['feature/fast', 'feature%2Ffast']) {
      const { source } = await stage(`https://github.com/acorn/kit/tree/${branch}/skills/table`);
      expect(source).toMatchObject({ ref: 'feature/fast', path: 'skills/table', commit: COMMIT });
    }
  });

  it('asks the repository for its default branch, and takes tags, commits and a ref beside the address', async () => {
    serve([skill('root', '')], { defaultBranch: 'trunk', refs: { 'v1.0': COMMIT } });
    for (const url of ['https://github.com/acorn/kit', 'acorn/kit', 'https://github.com/acorn/kit.git/']) {
      expect((await stage(url)).source).toMatchObject({ ref: 'trunk' });
    }
    expect((await stage('https://github.com/acorn/kit/tree/v1.0')).source).toMatchObject({ ref: 'v1.0' });
    expect((await stage(`https://github.com/acorn/kit/tree/${COMMIT}`)).source).toMatchObject({
      ref: COMMIT,
    });
    expect((await stage('acorn/kit', { ref: 'v1.0' })).source).toMatchObject({ ref: 'v1.0' });
    await expect(stage('acorn/kit/tree/trunk', { ref: 'v1.0' })).rejects.toMatchObject({
      code: 'source_url_invalid',
    });
    await expect(stage('acorn/kit', { ref: 'none' })).rejects.toMatchObject({ facts: { reason: 'ref' } });
  });

  it('keeps every file of a skill at the root, and calls it by its name', async () => {
    serve([
      skill('alpha', ''),
      { path: 'references/a.md', content: 'a' },
      { path: 'scripts/b.js', content: 'b' },
    ]);
    const staged = await stage('https://github.com/acorn/kit/blob/main/SKILL.md');
    expect(pathsOf(staged)).toEqual(['SKILL.md', 'references/a.md', 'scripts/b.js']);
    expect(staged.skills[0]).toMatchObject({ slug: 'alpha' });
  });

  it('lists the skills of a repository, and brings those that are chosen', async () => {
    const marketplace = JSON.stringify({
      plugins: [{ name: 'office', source: './', skills: ['./skills/table', './skills/none'] }],
    });
    serve([...TABLE, skill('text'), { path: '.claude-plugin/marketplace.json', content: marketplace }]);
    await expect(stage('acorn/kit')).rejects.toMatchObject({
      code: 'skill_md_ambiguous',
      message: expect.stringContaining('skills/table, skills/text') as unknown,
      facts: {
        candidates: [
          { path: 'skills/table', name: 'table', description: 'Does table.', plugin: 'office' },
          { path: 'skills/text', name: 'text', plugin: null },
        ],
      },
    });
    const all = await stage('acorn/kit/skills', { select: ['*'] });
    expect(all.skills.map(({ slug }) => slug)).toEqual(['table', 'text']);
    const one = await stage('acorn/kit@text');
    expect(one.skills.map(({ slug }) => slug)).toEqual(['text']);
    expect(one.findings.map(({ code, found }) => [code, found])).toEqual([
      ['marketplace_skill_missing', '"./skills/none"'],
    ]);
  });

  it.each([
    ['https://github.com/acorn/kit/tree/main/docs', 'source_not_found', 'path'],
    ['https://github.com/acorn/kit/tree/main/README.md', 'source_not_found', 'not_a_folder'],
    ['https://github.com/acorn/kit/tree/gone', 'source_not_found', 'ref'],
    ['https://github.com/acorn/other', 'source_not_found', 'repository'],
    ['https://github.com/acorn/kit/issues/1', 'source_url_invalid', 'form'],
    ['https://elsewhere.test/acorn/kit', 'source_url_invalid', 'host'],
  ])('says why %s cannot be imported', async (url, code, reason) => {
    serve(TABLE);
    await expect(stage(url)).rejects.toMatchObject({ code, facts: { reason } });
    expect(github.strangers).toEqual([]);
  });

  it('says that there is no skill in a folder without one', async () => {
    serve([{ path: 'docs/README.md', content: 'x' }]);
    await expect(stage('acorn/kit/docs')).rejects.toMatchObject({ code: 'skill_md_missing' });
  });

  it('leaves out links and submodules with a remark, and never stores where a link points', async () => {
    serve([
      ...TABLE,
      { path: 'skills/table/b.md', content: 'notes.md', mode: '120000' },
      { path: 'skills/table/out', content: '../../../../etc/passwd', mode: '120000' },
      { path: 'skills/table/lib', mode: '160000' },
      { path: 'elsewhere', content: 'x', mode: '120000' },
    ]);
    const staged = await stage(IN_FOLDER);
    expect(pathsOf(staged)).toEqual(['SKILL.md', 'notes.md', 'run.py']);
    expect(staged.skills[0]!.findings.map(({ code, path }) => [code, path])).toEqual([
      ['link_skipped', 'b.md'],
      ['link_skipped', 'out'],
      ['submodule_skipped', 'lib'],
    ]);
  });

  it('remarks on a file that is a Git LFS pointer, and not on one that writes about them', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 620773\n`;
    serve([
      ...TABLE,
      { path: 'skills/table/logo.png', content: pointer },
      { path: 'skills/table/about.md', content: `It starts with ${pointer}` },
    ]);
    const { findings } = (await stage(IN_FOLDER)).skills[0]!;
    expect(findings.map(({ code, path }) => [code, path])).toEqual([['lfs_pointer', 'logo.png']]);
  });

  it('brings every byte of large and binary files', async () => {
    const large = Buffer.alloc(2_000_000, 0x5a);
    const binary = Buffer.from(Array.from({ length: 2048 }, (_, index) => index % 256));
    serve([
      ...TABLE,
      { path: 'skills/table/data.bin', content: large },
      { path: 'skills/table/form.pdf', content: binary },
    ]);
    const { files } = (await stage(IN_FOLDER)).skills[0]!;
    expect(files.find(({ path }) => path === 'data.bin')!.bytes.equals(large)).toBe(true);
    expect(files.find(({ path }) => path === 'form.pdf')!.bytes.equals(binary)).toBe(true);
  });

  const many = (count: number): FakeFile[] =>
    Array.from({ length: count }, (_, index) => ({
      path: `skills/table/f/${index}.txt`,
      content: `${index}\u00e9`,
    }));

  it('asks for up to 300 files by commit and path, and for more in one archive', async () => {
    serve([...TABLE, ...many(100)]);
    expect(pathsOf(await stage(IN_FOLDER))).toHaveLength(103);
    expect(new Set(github.requests.map(({ host }) => host))).toEqual(new Set(['api', 'raw']));
    serve([...TABLE, ...many(1203)]);
    expect(pathsOf(await stage(IN_FOLDER))).toHaveLength(1206);
    expect(github.requests.map(({ host }) => host)).toEqual(['api', 'api', 'api', 'codeload']);
  });

  it('fetches a file itself where the archive holds other bytes, and refuses bytes that nobody named', async () => {
    const files = [...TABLE, ...many(301)];
    serve(files, { tampered: { archive: ['skills/table/f/7.txt'] } });
    const staged = await stage(IN_FOLDER);
    expect(staged.skills[0]!.files.find(({ path }) => path === 'f/7.txt')!.bytes.toString()).toBe('7\u00e9');
    serve(files, { tampered: { archive: ['skills/table/f/7.txt'], blob: ['skills/table/f/7.txt'] } });
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({
      code: 'source_unavailable',
      facts: { path: 'skills/table/f/7.txt' },
    });
  });

  it('goes down to the folder when a repository is too large to be listed at once', async () => {
    serve([...many(50).map((file) => ({ ...file, path: `other/${file.path}` })), ...TABLE], {
      truncated: true,
    });
    expect(pathsOf(await stage(IN_FOLDER))).toEqual(['SKILL.md', 'notes.md', 'run.py']);
  });

  it('refuses too many and too large files by the listing, before one is fetched', async () => {
    serve([...TABLE, ...many(30)]);
    await expect(stage(IN_FOLDER, {}, service({ limits: { skillFiles: 20 } }))).rejects.toMatchObject({
      code: 'source_too_large',
    });
    await expect(stage(IN_FOLDER, {}, service({ limits: { fileBytes: 5 } }))).rejects.toMatchObject({
      code: 'source_too_large',
    });
    expect(github.requests.filter(({ path }) => path.includes('/blobs/'))).toEqual([]);
  });

  it('refuses names that differ in case only', async () => {
    serve([...TABLE, { path: 'skills/table/NOTES.md', content: 'x' }]);
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({ code: 'archive_duplicate_entry' });
  });

  describe('with a token', () => {
    const TOKEN = 'marker-of-a-secret';

    it('reads a private repository, and says what is missing without one', async () => {
      serve(TABLE, { token: TOKEN });
      await expect(stage(IN_FOLDER)).rejects.toMatchObject({
        code: 'source_not_found',
        message: expect.stringContaining('private repository needs a token') as unknown,
      });
      await expect(stage(IN_FOLDER, { token: 'wrong' })).rejects.toMatchObject({ code: 'token_rejected' });
      const staged = await stage(IN_FOLDER, { token: TOKEN });
      expect(staged.source).toMatchObject({ isPrivate: true });
      expect(JSON.stringify(staged)).not.toContain(TOKEN);
    });

    it('sends it to the API and to no other host, through redirects too', async () => {
      serve([...TABLE, ...many(301)], { token: TOKEN });
      expect(pathsOf(await stage(IN_FOLDER, { token: TOKEN }))).toHaveLength(304);
      for (const { host, authorization } of github.requests) {
        expect(authorization).toBe(host === 'api' ? `Bearer ${TOKEN}` : undefined);
      }
      expect(github.requests.at(-1)).toMatchObject({ host: 'codeload' });
    });

    it('never says it in a refusal', async () => {
      serve(TABLE, { token: 'another' });
      const error = await stage(IN_FOLDER, { token: TOKEN }).catch((thrown: unknown) => thrown);
      const { facts, message, stack, cause } = error as Error & { facts: unknown };
      expect(JSON.stringify([facts, message, stack, cause])).not.toContain(TOKEN);
    });

    it("reads a private repository by the service's own token for an admin only", async () => {
      serve(TABLE, { token: TOKEN });
      const own = service({ github: { token: TOKEN } });
      await expect(stage(IN_FOLDER, { mayUseServiceToken: false }, own)).rejects.toMatchObject({
        code: 'source_not_found',
      });
      expect((await stage(IN_FOLDER, {}, own)).skills).toHaveLength(1);
      const refused = service({ github: { token: 'expired' } });
      await expect(stage(IN_FOLDER, {}, refused)).rejects.toMatchObject({ code: 'source_unavailable' });
    });
  });

  it('follows no redirect to another origin', async () => {
    const location = 'https://elsewhere.test/acorn/kit';
    serve(TABLE, { answers: [{ on: 1, status: 302, headers: { location } }] });
    await expect(stage(IN_FOLDER, { token: 'secret' })).rejects.toMatchObject({ code: 'source_unavailable' });
    expect(github.strangers).toEqual([]);
    const inside = `https://api.github.com/repos/acorn/kit`;
    serve(TABLE, { answers: [{ on: 1, status: 301, headers: { location: inside } }] });
    expect((await stage(IN_FOLDER)).skills).toHaveLength(1);
    serve(TABLE, { answers: [{ on: 1, times: 99, status: 301, headers: { location: inside } }] });
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({ code: 'source_unavailable' });
  });

  describe('under a rate limit', () => {
    it('says until when, and asks nobody again before', async () => {
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1893456000' };
      serve(TABLE, { answers: [{ on: 2, times: 1, status: 403, headers }] });
      const imports = service();
      await expect(stage(IN_FOLDER, {}, imports)).rejects.toMatchObject({
        code: 'source_rate_limited',
        message: expect.stringContaining('token') as unknown,
        facts: { retryAfter: 3600, reset_at: expect.stringMatching(/^2030-01-01T00:00/) as unknown },
      });
      const asked = github.requests.length;
      await expect(stage(IN_FOLDER, {}, imports)).rejects.toMatchObject({ code: 'source_rate_limited' });
      expect(github.requests).toHaveLength(asked);
      now += 3_600_001;
      expect((await stage(IN_FOLDER, {}, imports)).skills).toHaveLength(1);
      expect(slept).toEqual([]);
    });

    it('waits a short while once', async () => {
      const answer = { status: 429, headers: { 'retry-after': '1' } };
      serve(TABLE, { answers: [{ on: 1, ...answer }] });
      expect((await stage(IN_FOLDER)).skills).toHaveLength(1);
      expect(slept).toEqual([1000]);
      serve(TABLE, { answers: [{ on: 1, times: 2, ...answer }] });
      await expect(stage(IN_FOLDER)).rejects.toMatchObject({ code: 'source_rate_limited' });
    });

    it('waits longer each time when GitHub says no time', async () => {
      const body = JSON.stringify({ message: 'You have exceeded a secondary rate limit.' });
      serve(TABLE, { answers: [{ on: 1, times: 2, status: 403, body }] });
      const imports = service();
      await expect(stage(IN_FOLDER, {}, imports)).rejects.toMatchObject({ facts: { retryAfter: 60 } });
      now += 61_000;
      await expect(stage(IN_FOLDER, {}, imports)).rejects.toMatchObject({ facts: { retryAfter: 120 } });
      now += 121_000;
      expect((await stage(IN_FOLDER, {}, imports)).skills).toHaveLength(1);
    });
  });

  it('asks three times where an error may pass, names the file that failed, and keeps nothing of the rest', async () => {
    serve(TABLE, { answers: [{ on: '/blobs/', times: 2, status: 502 }] });
    expect((await stage(IN_FOLDER)).skills).toHaveLength(1);
    serve(TABLE, { answers: [{ on: '/blobs/', times: 99, status: 500 }] });
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({
      code: 'source_unavailable',
      facts: { path: expect.stringMatching(/^skills\/table\//) as unknown },
    });
  });

  it.each([
    [200, '{"id":"seven"}', 'source_unavailable'],
    [200, 'not json', 'source_unavailable'],
    [403, '{}', 'source_not_found'],
    [404, '{}', 'source_not_found'],
    [451, '{}', 'source_not_found'],
  ])('translates %s with the body %s', async (status, body, code) => {
    serve(TABLE, { answers: [{ on: 1, status, body }] });
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({ code });
    expect(github.requests).toHaveLength(1);
  });

  it('reads no more of an answer than it can use', async () => {
    serve(TABLE, { answers: [{ on: 1, status: 200, body: ' '.repeat(17 * 1_048_576) }] });
    await expect(stage(IN_FOLDER)).rejects.toMatchObject({ code: 'source_too_large' });
  });

  it('goes to the configured GitHub Enterprise, and keeps its host', async () => {
    serve(TABLE);
    const resolved = resolveOptions({
      github: { webUrl: github.url, apiUrl: `${github.url}/api`, token: 'own' },
      watch: { enabled: false },
    });
    const imports = new ImportService(resolved, new CatalogService(resolved, new WorkspaceFiles()));
    const staged = await stage(`${github.url}/acorn/kit/tree/main/skills/table`, {}, imports);
    expect(staged.skills[0]!.provenance).toMatchObject({ host: new URL(github.url).host });
    expect(new Set(github.requests.map(({ host }) => host))).toEqual(new Set(['api']));
    await expect(stage(IN_FOLDER, {}, imports)).rejects.toMatchObject({ facts: { reason: 'host' } });
  });
});
