import { chmodSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { setEnabled } from '../../src/skills/store/skill-state.store.js';
import {
  CatalogGround,
  codesOf,
  entryOf,
  offers,
  rowOf,
  served,
  SOMEBODY,
} from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { type TempFolder } from '../support/temp-folder.js';

describeOnDatabases('bundled skills in a stored catalogue', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;
  let temp: TempFolder;
  let bundle: TempFolder;
  let catalog: CatalogService;

  beforeEach(async () => {
    await ground.begin();
    temp = ground.folder();
    bundle = ground.folder();
    bundle.skill('skills/sheet', { description: 'Makes sheets.' });
    bundle.write('skills/sheet/scripts/make.py', 'import _shared.text\n', { mode: 0o755 });
    bundle.skill('skills/prose');
    bundle.write('skills/_shared/text.py', 'WORDS = 1\n');
    catalog = await open();
    await ground.settle(catalog);
  });

  afterEach(async () => {
    expect(await facts.violations()).toEqual([]);
    await ground.end();
  });

  const options = () => ({ bundled: { dir: bundle.path('skills') } });
  const open = () => ground.open(temp, { options: options() });
  const restart = async () => {
    catalog = await ground.reopen(catalog, temp, { options: options() });
    await ground.settle(catalog);
  };
  const toggle = (slug: string, enabled: boolean) =>
    ground.edit(catalog, (change) =>
      setEnabled(
        change,
        rowOf(catalog, slug, 'bundled'),
        enabled ? { enabled } : { enabled, reason: 'we do not want it' },
      ),
    );

  it('are stored as version 1 of the system, for everybody', async () => {
    expect(await facts.rows()).toEqual(['prose v1', 'sheet v1']);
    expect(await facts.history('sheet')).toEqual([{ version: 1, by: 'seed', codes: [] }]);
    expect(rowOf(catalog, 'sheet', 'bundled')).toMatchObject({
      origin: 'bundled',
      owner: 'system',
      visibility: 'public',
    });
  });

  it('are served with shared files beside their scripts, and keep the executable bit', async () => {
    expect(await served(catalog, 'sheet')).toMatchObject({
      'scripts/make.py': '0755 import _shared.text\n',
      'scripts/_shared/text.py': '0644 WORDS = 1\n',
    });
    expect(Object.keys(await served(catalog, 'prose'))).toEqual(['SKILL.md']);
  });

  it('change nothing when they are unchanged at a start', async () => {
    const counters = await facts.counters();
    await restart();
    expect(await facts.counters()).toEqual(counters);
  });

  it('have a missing hash filled in without a version', async () => {
    await facts.query('UPDATE {skills} SET "file_hash" = NULL');
    await restart();
    expect(await facts.rows()).toEqual(['prose v1', 'sheet v1']);
    expect(await facts.query('SELECT 1 FROM {skills} WHERE "file_hash" IS NULL')).toEqual([]);
  });

  const releases: readonly (readonly [what: string, change: () => void])[] = [
    [
      'SKILL.md',
      () => {
        bundle.skill('skills/sheet', { description: 'Makes finer sheets.' });
      },
    ],
    [
      'a script alone',
      () => {
        bundle.write('skills/sheet/scripts/make.py', 'print(2)\n', { mode: 0o755 });
      },
    ],
    [
      'a shared file alone',
      () => {
        bundle.write('skills/_shared/text.py', 'WORDS = 2\n');
      },
    ],
    [
      'an executable bit alone',
      () => {
        chmodSync(bundle.path('skills/sheet/scripts/make.py'), 0o644);
      },
    ],
  ];
  for (const [what, change] of releases) {
    it(`get one version more when a release changes ${what}, and keep their id`, async () => {
      const { id } = rowOf(catalog, 'sheet', 'bundled');
      await catalog.stop();
      change();
      catalog = await open();
      await ground.settle(catalog);
      expect(await facts.rows()).toEqual(['prose v1', 'sheet v2']);
      expect(entryOf(catalog, 'sheet')).toMatchObject({ id, version: 2 });
      expect((await facts.audit()).at(-1)).toBe('skill.update sheet 2');
    });
  }

  it('are switched off with the reason when a release has them no more, and on when one has them again', async () => {
    const { id } = rowOf(catalog, 'sheet', 'bundled');
    renameSync(bundle.path('skills/sheet'), bundle.path('aside'));
    await restart();
    const left = entryOf(catalog, 'sheet');
    expect(left).toMatchObject({ id, version: 1, availability: 'disabled' });
    expect(left.stored?.disabledBy).toMatchObject({ reason: 'it is no longer part of the bundle' });
    expect(codesOf(left)).toEqual(['bundle_left']);
    await restart();
    expect((await facts.audit()).slice(2)).toEqual(['skill.disable sheet 1']);
    renameSync(bundle.path('aside'), bundle.path('skills/sheet'));
    await restart();
    expect(entryOf(catalog, 'sheet')).toMatchObject({
      id,
      version: 1,
      availability: 'available',
      findings: [],
    });
    expect((await facts.audit()).slice(2)).toEqual(['skill.disable sheet 1', 'skill.enable sheet 1']);
  });

  it('come back changed as one version more, switched on', async () => {
    rmSync(bundle.path('skills/sheet'), { recursive: true });
    await restart();
    bundle.skill('skills/sheet', { description: 'Makes sheets anew.' });
    await restart();
    expect(await facts.rows()).toEqual(['prose v1', 'sheet v2']);
    expect(entryOf(catalog, 'sheet')).toMatchObject({ version: 2, availability: 'available' });
  });

  it('stay switched off by a person over a new release, over leaving the bundle and over coming back', async () => {
    await toggle('sheet', false);
    const by = rowOf(catalog, 'sheet', 'bundled').disabledBy;
    expect(by).toMatchObject({ actor: { subject: SOMEBODY.subject }, reason: 'we do not want it' });
    bundle.skill('skills/sheet', { description: 'Makes finer sheets.' });
    await restart();
    expect(entryOf(catalog, 'sheet')).toMatchObject({ version: 2, availability: 'disabled' });
    renameSync(bundle.path('skills/sheet'), bundle.path('aside'));
    await restart();
    renameSync(bundle.path('aside'), bundle.path('skills/sheet'));
    await restart();
    expect(entryOf(catalog, 'sheet')).toMatchObject({ version: 2, availability: 'disabled' });
    expect(rowOf(catalog, 'sheet', 'bundled').disabledBy).toEqual(by);
  });

  it('stay switched on by a person who wants one that left the bundle', async () => {
    rmSync(bundle.path('skills/sheet'), { recursive: true });
    await restart();
    await toggle('sheet', true);
    expect(entryOf(catalog, 'sheet')).toMatchObject({ availability: 'available', findings: [] });
    await restart();
    expect(entryOf(catalog, 'sheet').availability).toBe('available');
    expect(await served(catalog, 'sheet')).toMatchObject({ 'scripts/make.py': '0755 import _shared.text\n' });
  });

  it('never touch a skill of the workspace that has the same slug', async () => {
    temp.skill('skills/sheet', { description: 'Ours.' });
    await restart();
    expect(entryOf(catalog, 'sheet')).toMatchObject({ layer: 'workspace', description: 'Ours.' });
    expect(offers(catalog)).toEqual(['prose available', 'sheet available', 'sheet shadowed']);
    bundle.skill('skills/sheet', { description: 'Makes finer sheets.' });
    await restart();
    expect(await facts.rows()).toEqual(['prose v1', 'sheet v2', 'sheet v1']);
    expect(entryOf(catalog, 'sheet')).toMatchObject({ description: 'Ours.', version: 1 });
  });

  it('are no skill when their folder is named like a shared one', async () => {
    bundle.skill('skills/_private');
    await restart();
    expect(await facts.rows()).toEqual(['prose v1', 'sheet v1']);
  });
});
