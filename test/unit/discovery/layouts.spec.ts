import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { onDisk, remarksOf, slugsOf, startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(() => {
  temp.remove();
});

describe('what counts as a skill', () => {
  it('is a folder with SKILL.md; another one inside it is one of its files', async () => {
    temp.skill('skills/outer');
    temp.skill('skills/outer/examples/inner');
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['outer']);
    const { files } = await catalog.content(catalog.snapshot().bySlug.get('outer')!);
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'examples/inner/SKILL.md']);
  });

  it('leaves out tool folders, hidden folders and the shared folder, without a remark', async () => {
    for (const folder of [
      'node_modules/x',
      '.git/hooks',
      'venv/lib',
      '__pycache__',
      '.venv/x',
      '_shared/x',
      '.draft',
    ]) {
      temp.skill(`skills/${folder}`, { name: 'hidden' });
    }
    temp.skill('skills/ok');
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['ok']);
    expect(remarksOf(catalog)).toEqual([]);
  });

  it('loads another spelling of the file name with a remark; the exact one wins', async () => {
    temp.write('skills/lower/skill.md', '---\nname: lower\ndescription: Small letters.\n---\nText.\n');
    temp.write('skills/both/skill.md', '---\nname: both\ndescription: The twin.\n---\nText.\n');
    temp.skill('skills/both', { description: 'The exact one.' });
    const catalog = await startedCatalog(temp);
    expect(onDisk(catalog)).toMatchObject([
      { slug: 'both', description: 'The exact one.', findings: [] },
      {
        slug: 'lower',
        fileName: 'skill.md',
        filePath: 'skills/lower/skill.md',
        findings: [{ code: 'file_name_case' }],
      },
    ]);
    temp.skill('skills/lower', { description: 'Exact at last.' });
    await catalog.refresh();
    expect(catalog.snapshot().bySlug.get('lower')).toMatchObject({
      description: 'Exact at last.',
      findings: [],
    });
  });

  it('says where a SKILL.md lies that is no skill, and which folder holds none', async () => {
    temp.write('skills/SKILL.md', '---\nname: top\ndescription: Too high.\n---\nText.\n');
    temp.write('skills/custom/SKILL.md', '---\nname: custom\ndescription: A container.\n---\nText.\n');
    mkdirSync(temp.path('skills/empty/below'), { recursive: true });
    temp.write('skills/custom/notes/README.md', 'x');
    temp.skill('skills/group/member');
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['group/member']);
    expect(remarksOf(catalog).sort()).toEqual([
      'skill_md_misplaced skills/SKILL.md',
      'skill_md_misplaced skills/custom/SKILL.md',
      'skill_md_missing skills/custom/notes',
      'skill_md_missing skills/empty',
    ]);
  });

  it('keeps odd folder names that can be addressed and names the others', async () => {
    temp.skill('skills/odd#1', { name: 'odd' });
    temp.skill('skills/Best Practices', { name: 'best' });
    temp.skill('skills/a:b', { name: 'colon' });
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['Best Practices', 'odd#1']);
    expect(catalog.snapshot().bySlug.get('odd#1')).toMatchObject({ filePath: 'skills/odd#1/SKILL.md' });
    expect(catalog.snapshot().findings).toMatchObject([
      { code: 'slug_invalid', path: 'skills/a:b', found: '"a:b"', hint: expect.stringContaining(':') },
    ]);
  });

  it('skips folders that a projection wrote', async () => {
    temp.write('skills-lock.json', '{}');
    temp.write('.agents/skills/.skillwright-projection.json', '{"skills":{"copied":{}}}');
    temp.skill('.agents/skills/copied');
    temp.skill('.agents/skills/theirs');
    expect(slugsOf(await startedCatalog(temp))).toEqual(['theirs']);
  });
});

describe('one skill that cannot be used', () => {
  it('is listed with its reason and hides nothing else', async () => {
    temp.skill('skills/a-good');
    temp.write('skills/b-bad/SKILL.md', '---\nname: b-bad\ndescription: "open\n---\nText.\n');
    temp.write('skills/c-plain/SKILL.md', 'Just text.\n');
    mkdirSync(temp.path('skills/d-folder/SKILL.md'), { recursive: true });
    temp.skill('skills/e-good');
    const catalog = await startedCatalog(temp, { options: {} });
    expect(onDisk(catalog).map(({ slug, availability, version }) => [slug, availability, version])).toEqual([
      ['a-good', 'available', 1],
      ['b-bad', 'invalid', 0],
      ['c-plain', 'invalid', 0],
      ['d-folder', 'invalid', 0],
      ['e-good', 'available', 1],
    ]);
    for (const entry of onDisk(catalog).filter(({ version }) => version === 0)) {
      expect(entry.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
        { path: entry.filePath },
      ]);
    }
  });

  it('is not read when it is too large', async () => {
    temp.write('skills/huge/SKILL.md', `---\nname: huge\ndescription: Large.\n---\n${'x'.repeat(5000)}`);
    const catalog = await startedCatalog(temp, { options: { limits: { skillMdBytes: 4000 } } });
    expect(onDisk(catalog)).toMatchObject([
      { availability: 'invalid', findings: [{ code: 'skill_md_too_large' }] },
    ]);
  });

  it('is read on when the frontmatter is longer than the first look', async () => {
    const license = Array.from({ length: 200 }, (_, n) => `  line-${n}: ${'x'.repeat(40)}`).join('\n');
    temp.write(
      'skills/long/SKILL.md',
      `---\nmetadata:\n${license}\nname: long\ndescription: Far below.\n---\nText.\n`,
    );
    expect(onDisk(await startedCatalog(temp))).toMatchObject([
      { description: 'Far below.', availability: 'available' },
    ]);
  });
});

describe('several locations', () => {
  it('take the first skill of a slug and keep the others for people', async () => {
    temp.skill('team/pdf', { description: 'Of the team.' });
    temp.skill('skills/pdf', { description: 'Of the workspace.' });
    temp.skill('bundle/pdf', { description: 'Of the bundle.' });
    const catalog = await startedCatalog(temp, {
      options: { discovery: { path: [temp.path('team')] }, bundled: { dir: temp.path('bundle') } },
    });
    const winner = catalog.snapshot().bySlug.get('pdf');
    expect(winner).toMatchObject({
      description: 'Of the team.',
      source: 'agent',
      filePath: 'agent:team/pdf/SKILL.md',
    });
    expect(onDisk(catalog).map(({ layer, shadowedBy }) => [layer, shadowedBy])).toEqual([
      [`path:${temp.path('team')}`, null],
      ['workspace', winner?.id],
      ['bundled', winner?.id],
    ]);
    expect(new Set(onDisk(catalog).map(({ id }) => id)).size).toBe(3);
  });

  it('read .agents/skills only beside a lock file, also when that appears later', async () => {
    temp.skill('.agents/skills/installed');
    mkdirSync(temp.path('skills'));
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual([]);
    temp.write('skills-lock.json', '{"version":1,"skills":{}}');
    await catalog.refresh();
    expect(onDisk(catalog)).toMatchObject([{ slug: 'installed', layer: 'agents' }]);
  });

  it('reserve the slugs of builtins', async () => {
    temp.skill('skills/agent-browser');
    const catalog = await startedCatalog(temp);
    expect(catalog.snapshot().bySlug.get('agent-browser')).toMatchObject({
      layer: 'builtin',
      dir: null,
      filePath: 'builtin:agent-browser',
      findings: [],
    });
    expect(onDisk(catalog)).toMatchObject([
      { availability: 'shadowed', findings: [{ code: 'builtin_reserved' }] },
    ]);
  });

  it('say what is missing, no folder, or named twice', async () => {
    temp.write('file', 'x');
    temp.skill('skills/one');
    const path = ['none', 'file', 'skills'].map((name) => temp.path(name));
    const catalog = await startedCatalog(temp, { options: { discovery: { path } } });
    expect(remarksOf(catalog)).toEqual([
      'location_missing agent:none',
      'location_unreadable agent:file',
      'location_duplicate skills',
    ]);
    expect(slugsOf(catalog)).toEqual(['one']);
  });
});

describe('large trees', () => {
  it('are cut off at the deepest folders, with a remark for each limit', async () => {
    temp.skill('skills/zz-first');
    temp.skill(`skills/deep/${'n/'.repeat(9)}abyss`);
    for (let n = 0; n < 60; n++) mkdirSync(temp.path(`skills/many/d${n}/below`), { recursive: true });
    const catalog = await startedCatalog(temp, { options: { discovery: { maxFolders: 40 } } });
    expect(slugsOf(catalog)).toEqual(['zz-first']);
    expect(catalog.snapshot().findings).toContainEqual(
      expect.objectContaining({ code: 'walk_limit', hint: expect.stringContaining('discovery.maxFolders') }),
    );
    const deep = await startedCatalog(temp);
    expect(deep.snapshot().findings).toContainEqual(
      expect.objectContaining({ code: 'walk_limit', hint: expect.stringContaining('discovery.maxDepth') }),
    );
  });
});
