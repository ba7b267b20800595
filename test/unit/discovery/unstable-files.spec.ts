import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { type SkillEntry } from '../../../src/skills/discovery/skill-entry.js';
import { startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

const HALF = '---\nname: one\ndescr';
let temp: TempFolder;
let now: number;
let catalog: CatalogService;

beforeEach(async () => {
  temp = new TempFolder();
  now = Date.now();
  temp.skill('skills/one', { body: 'Whole.' });
  temp.skill('skills/two');
  catalog = await startedCatalog(temp, { now: () => now });
});
afterEach(() => {
  temp.remove();
});

const one = (): SkillEntry | undefined => catalog.snapshot().bySlug.get('one');
const codes = (): string[] => one()?.findings.map(({ code }) => code) ?? [];

describe('a file that is being written', () => {
  it('leaves the last good state in place until the file is quiet, then shows what is wrong', async () => {
    await catalog.content(one()!);
    temp.write('skills/one/SKILL.md', HALF, { fresh: true });
    now = Date.now();
    await catalog.refresh();
    expect(one()).toMatchObject({ description: 'Helps with one.', availability: 'available', version: 1 });
    expect(codes()).toEqual(['file_unstable']);
    expect(catalog.knownContent(one()!)).toMatchObject({ body: 'Whole.' });
    const held = catalog.snapshot();
    expect(await catalog.refresh()).toBe(held);
    now += 5000;
    await catalog.refresh();
    expect(one()).toMatchObject({ availability: 'invalid', version: 0 });
    expect(codes()).toContain('frontmatter_unclosed');
    expect(catalog.snapshot().bySlug.get('two')?.availability).toBe('available');
  });

  it('is taken when it is whole', async () => {
    temp.write('skills/one/SKILL.md', HALF, { fresh: true });
    now = Date.now();
    await catalog.refresh();
    temp.skill('skills/one', { description: 'Written to the end.' });
    await catalog.refresh();
    expect(one()).toMatchObject({ description: 'Written to the end.', findings: [] });
  });

  it('is not missed when its folder stays', async () => {
    renameSync(temp.path('skills/one/SKILL.md'), temp.path('skills/one/SKILL.md~'));
    await catalog.refresh();
    expect(codes()).toEqual(['file_unstable']);
    renameSync(temp.path('skills/one/SKILL.md~'), temp.path('skills/one/SKILL.md'));
    await catalog.refresh();
    expect(codes()).toEqual([]);
  });

  it('is gone when it stays missing for a second', async () => {
    rmSync(temp.path('skills/one/SKILL.md'));
    await catalog.refresh();
    expect(one()).toBeDefined();
    now += 1000;
    await catalog.refresh();
    expect(one()).toBeUndefined();
    expect(catalog.snapshot().findings).toMatchObject([{ code: 'skill_md_missing', path: 'skills/one' }]);
  });

  it('is gone at once with its folder', async () => {
    rmSync(temp.path('skills/one'), { recursive: true });
    await catalog.refresh();
    expect(one()).toBeUndefined();
  });

  it('shows what is wrong at once when it was never good', async () => {
    mkdirSync(temp.path('skills/three'));
    temp.write('skills/three/SKILL.md', HALF, { fresh: true });
    now = Date.now();
    await catalog.refresh();
    expect(catalog.snapshot().bySlug.get('three')).toMatchObject({ availability: 'invalid', version: 0 });
  });
});

describe('refresh', () => {
  it('notices a second write of the same size within one step of the clock', async () => {
    temp.skill('skills/one', { description: 'Version 1.' });
    temp.write('skills/one/SKILL.md', '---\nname: one\ndescription: Version 2.\n---\n', { fresh: true });
    now = Date.now();
    await catalog.refresh();
    temp.write('skills/one/SKILL.md', '---\nname: one\ndescription: Version 3.\n---\n', { fresh: true });
    await catalog.refresh();
    expect(one()?.description).toBe('Version 3.');
  });

  it('tells listeners once for each change, with the snapshot in place', async () => {
    const seen: number[] = [];
    const end = catalog.onChange((snapshot) => {
      expect(catalog.snapshot()).toBe(snapshot);
      seen.push(snapshot.revision);
    });
    const first = catalog.snapshot().revision;
    await catalog.refresh();
    temp.skill('skills/three');
    await catalog.refresh();
    end();
    temp.skill('skills/four');
    await catalog.refresh();
    expect(seen).toEqual([first + 1]);
  });

  it('gives callers during a scan one more scan that begins after their call', async () => {
    const running = catalog.refresh();
    temp.skill('skills/late');
    const [second, third] = [catalog.refresh(), catalog.refresh()];
    await running;
    expect((await second).bySlug.has('late')).toBe(true);
    expect(await third).toBe(await second);
  });
});
