import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { WORKSPACE_MARKER } from '../../src/skills/discovery/locations.js';
import { CatalogGround, codesOf, entryOf, offers, rowOf, served } from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { type TempFolder } from '../support/temp-folder.js';

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describeOnDatabases('a stored catalogue and the folders it lives in', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;
  let temp: TempFolder;
  let catalog: CatalogService;

  beforeEach(async () => {
    await ground.begin();
    temp = ground.folder();
    for (const slug of SLUGS) temp.skill(`skills/${slug}`);
    temp.write('skills/a/scripts/run.sh', '#!/bin/sh\n', { mode: 0o755 });
    catalog = await ground.open(temp);
    await ground.settle(catalog);
  });

  afterEach(async () => {
    expect(await facts.violations()).toEqual([]);
    await ground.end();
  });

  const remarks = () => catalog.snapshot().findings.map(({ code, path }) => `${code} ${path ?? ''}`);
  const live = SLUGS.map((slug) => `${slug} v1`);
  const available = SLUGS.map((slug) => `${slug} available`);

  it('changes nothing at all over restarts without changes', async () => {
    const counters = await facts.counters();
    const shown = served(catalog, 'a');
    for (let start = 0; start < 3; start++) {
      catalog = await ground.reopen(catalog, temp);
      await ground.settle(catalog);
    }
    expect(await facts.counters()).toEqual(counters);
    expect(await served(catalog, 'a')).toEqual(await shown);
    expect(offers(catalog)).toEqual(available);
  });

  it('fills in a hash of SKILL.md that a row was written without, and makes no version', async () => {
    const before = rowOf(catalog, 'a');
    await facts.query('UPDATE {skills} SET "file_hash" = NULL WHERE "slug" = $1', ['a']);
    catalog = await ground.reopen(catalog, temp);
    await ground.settle(catalog);
    expect(rowOf(catalog, 'a').fileHash).toBe(before.fileHash);
    expect(await facts.rows()).toEqual(live);
    expect(await facts.audit()).toHaveLength(SLUGS.length);
  });

  it('takes up at a start what was edited, added and removed meanwhile', async () => {
    await catalog.stop();
    temp.skill('skills/a', { body: 'Another body.' });
    temp.skill('skills/new');
    rmSync(temp.path('skills/h'), { recursive: true });
    catalog = await ground.open(temp);
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(['a v2', ...live.slice(1, 7), 'h v1 deleted', 'new v1']);
  });

  it('deletes nothing when most of the skills are gone at once, and goes on from the store', async () => {
    const files = await served(catalog, 'a');
    for (const slug of SLUGS.slice(0, 6)) rmSync(temp.path('skills', slug), { recursive: true });
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(live);
    expect(offers(catalog)).toEqual(available);
    expect(remarks()).toEqual(['location_vanished skills']);
    expect(await served(catalog, 'a')).toEqual(files);
    expect(statSync(temp.path('skills')).isDirectory()).toBe(true);
    expect(() => statSync(temp.path('skills/a'))).toThrow('ENOENT');
  });

  it('deletes a few skills that are gone at once', async () => {
    for (const slug of SLUGS.slice(0, 5)) rmSync(temp.path('skills', slug), { recursive: true });
    await ground.settle(catalog);
    expect(offers(catalog)).toEqual(available.slice(5));
    expect(remarks()).toEqual([]);
  });

  it('goes on as before when a vanished root is back', async () => {
    const counters = await facts.counters();
    renameSync(temp.path('skills'), temp.path('aside'));
    await ground.settle(catalog);
    expect(remarks()).toContain('location_vanished skills');
    expect(offers(catalog)).toEqual(available);
    renameSync(temp.path('aside'), temp.path('skills'));
    await ground.settle(catalog);
    expect(remarks()).toEqual([]);
    expect(await facts.counters()).toEqual(counters);
  });

  for (const [what, exchange] of [
    [
      'an empty folder',
      () => {
        mkdirSync(temp.path('skills'));
      },
    ],
    [
      'a folder with other skills',
      () => {
        temp.skill('skills/other');
      },
    ],
    [
      'a link to another folder',
      () => {
        mkdirSync(temp.path('elsewhere'));
        symlinkSync(temp.path('elsewhere'), temp.path('skills'));
      },
    ],
  ] as const) {
    it(`deletes and writes nothing where ${what} took the place of the root`, async () => {
      renameSync(temp.path('skills'), temp.path('aside'));
      exchange();
      await ground.settle(catalog);
      expect((await facts.rows()).filter((row) => row.includes('deleted'))).toEqual([]);
      expect(remarks()).toContain('location_vanished skills');
      expect(() => statSync(temp.path('skills/a'))).toThrow('ENOENT');
      expect(offers(catalog)).toEqual(expect.arrayContaining(available));
    });
  }

  it('takes a root that is gone at a start for vanished while the marker is there', async () => {
    await catalog.stop();
    rmSync(temp.path('skills'), { recursive: true });
    catalog = await ground.open(temp);
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(live);
    expect(remarks()).toContain('location_vanished skills');
    expect(offers(catalog)).toEqual(available);
    expect(() => statSync(temp.path('skills'))).toThrow('ENOENT');
  });

  it('writes everything again, bytes and modes, where root and marker are both gone at a start', async () => {
    const bytes = readFileSync(temp.path('skills/b/SKILL.md'));
    const counters = await facts.counters();
    await catalog.stop();
    rmSync(temp.path('skills'), { recursive: true });
    rmSync(temp.path(WORKSPACE_MARKER));
    catalog = await ground.open(temp);
    await ground.settle(catalog);
    expect(readFileSync(temp.path('skills/b/SKILL.md'))).toEqual(bytes);
    expect(statSync(temp.path('skills/a/scripts/run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(temp.path('skills/a/SKILL.md')).mode & 0o777).toBe(0o644);
    expect(offers(catalog)).toEqual(available);
    expect(remarks()).toEqual([]);
    expect(await facts.counters()).toEqual(counters);
  });

  it('makes a workspace anew that is gone altogether', async () => {
    await catalog.stop();
    rmSync(temp.dir, { recursive: true });
    catalog = await ground.open(temp);
    await ground.settle(catalog);
    expect(readFileSync(temp.path('skills/a/scripts/run.sh'), 'utf8')).toBe('#!/bin/sh\n');
    expect(statSync(temp.path(WORKSPACE_MARKER)).isFile()).toBe(true);
    expect(await facts.rows()).toEqual(live);
  });

  it('lets a person take what vanished for deleted, or have it written again', async () => {
    rmSync(temp.path('skills'), { recursive: true });
    await ground.settle(catalog);
    await catalog.stored?.exclusive((sync) => sync.rebuild('workspace'));
    await ground.settle(catalog);
    expect(statSync(temp.path('skills/a/SKILL.md')).isFile()).toBe(true);
    expect(remarks()).toEqual([]);
    rmSync(temp.path('skills'), { recursive: true });
    await ground.settle(catalog);
    await catalog.stored?.exclusive((sync) => {
      sync.acceptLoss('workspace');
      return Promise.resolve();
    });
    await ground.settle(catalog);
    expect(offers(catalog)).toEqual([]);
    expect(await facts.rows()).toEqual(SLUGS.map((slug) => `${slug} v1 deleted`));
  });

  it('takes a copied workspace for another one, which follows and is followed', async () => {
    const copy = ground.folder();
    rmSync(copy.dir, { recursive: true });
    cpSync(temp.dir, copy.dir, { recursive: true });
    const other = await ground.open(copy);
    await ground.settle(catalog, other);
    expect(await facts.rows()).toEqual(live);
    copy.skill('skills/a', { body: 'From the copy.' });
    await ground.settle(other, catalog);
    expect(readFileSync(temp.path('skills/a/SKILL.md'), 'utf8')).toContain('From the copy.');
    expect(await facts.history('a')).toHaveLength(2);
  });

  it('keeps both where a folder that was never synced differs; the catalogue wins on disk', async () => {
    const other = ground.folder();
    other.skill('skills/a', { body: 'Of the other workspace.' });
    const second = await ground.open(other);
    await ground.settle(second);
    expect(await facts.history('a')).toEqual([
      { version: 1, by: 'disk', codes: [] },
      { version: 2, by: 'disk', codes: ['sync_no_base'] },
      { version: 3, by: 'disk', codes: [] },
    ]);
    expect(await facts.textOf('a', 2)).toContain('Of the other workspace.');
    expect(readFileSync(other.path('skills/a/SKILL.md'))).toEqual(
      readFileSync(temp.path('skills/a/SKILL.md')),
    );
  });

  it('mirrors a folder that is only read: gone is unavailable, back is the same version or a new one', async () => {
    const outside = ground.folder();
    outside.skill('shared/tone');
    outside.skill('shared/style');
    const options = { discovery: { path: [outside.path('shared')] } };
    catalog = await ground.reopen(catalog, temp, { options });
    await ground.settle(catalog);
    const { id, layer } = entryOf(catalog, 'tone');
    expect(layer).toBe(`path:${outside.path('shared')}`);
    renameSync(outside.path('shared/tone'), outside.path('tone'));
    await ground.settle(catalog);
    expect(offers(catalog)).not.toContain('tone available');
    expect(() => statSync(outside.path('shared/tone'))).toThrow('ENOENT');
    renameSync(outside.path('tone'), outside.path('shared/tone'));
    await ground.settle(catalog);
    expect(entryOf(catalog, 'tone')).toMatchObject({ id, version: 1, availability: 'available' });
    renameSync(outside.path('shared/tone'), outside.path('tone'));
    await ground.settle(catalog);
    outside.skill('tone', { body: 'Another tone.' });
    renameSync(outside.path('tone'), outside.path('shared/tone'));
    await ground.settle(catalog);
    expect(entryOf(catalog, 'tone')).toMatchObject({ id, version: 2, availability: 'available' });
    expect(codesOf(entryOf(catalog, 'tone'))).toEqual([]);
  });
});
