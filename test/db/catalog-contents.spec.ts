import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { moveSkill } from '../../src/skills/store/skill-state.store.js';
import { CatalogGround, codesOf, entryOf, offers, rowOf } from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { type TempFolder } from '../support/temp-folder.js';

describeOnDatabases('what a stored catalogue takes in', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;
  let temp: TempFolder;
  let catalog: CatalogService;

  beforeEach(async () => {
    await ground.begin();
    temp = ground.folder();
    temp.skill('skills/plain');
  });

  afterEach(async () => {
    expect(await facts.violations()).toEqual([]);
    await ground.end();
  });

  const start = async (options: Record<string, Record<string, unknown>> = {}) => {
    catalog = await ground.open(temp, { options });
    await ground.settle(catalog);
  };

  it('never offers a skill with more files than are allowed, and says so', async () => {
    temp.skill('skills/huge');
    for (let n = 0; n < 2000; n++) temp.write(`skills/huge/f${n}.txt`, 'x', { fresh: true });
    await start();
    expect(await facts.rows()).toEqual(['plain v1']);
    expect(entryOf(catalog, 'huge')).toMatchObject({ availability: 'invalid', version: 0, stored: null });
    expect(codesOf(entryOf(catalog, 'huge'))).toContain('skill_too_large');
    const before = catalog.snapshot();
    expect(await catalog.refresh()).toBe(before);
  });

  it('never offers a skill whose body holds a NUL, and goes on with the last good one where there is one', async () => {
    const body = `---\nname: late\ndescription: Fine so far.\n---\n\n${'text\n'.repeat(2000)}\0\n`;
    temp.write('skills/late/SKILL.md', body);
    await start();
    expect(entryOf(catalog, 'late')).toMatchObject({ availability: 'invalid', version: 0 });
    expect(entryOf(catalog, 'late').findings.some(({ severity }) => severity === 'error')).toBe(true);
    temp.write('skills/plain/SKILL.md', body.replace('late', 'plain'));
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(['plain v1']);
    expect(entryOf(catalog, 'plain')).toMatchObject({ availability: 'available', version: 1 });
    expect(codesOf(entryOf(catalog, 'plain'))).toContain('last_good_kept');
  });

  it('refuses frontmatter that PostgreSQL cannot hold, and stores everything beside it', async () => {
    const odd = (field: string): string => `---\nname: odd\ndescription: Odd.\n${field}\n---\n\nBody.\n`;
    const fields = ['author: "\\0"', 'license: "\\uD83D"', 'metadata:\n  "k\\0": v', 'tags: ["\\uDE00"]'];
    fields.forEach((field, at) => {
      temp.write(`skills/odd-${at}/SKILL.md`, odd(field));
    });
    temp.write('skills/pair/SKILL.md', odd('author: "\\uD83D\\uDE00"').replace('odd', 'pair'));
    await start();
    expect(await facts.rows()).toEqual(['pair v1', 'plain v1']);
    for (const at of fields.keys()) {
      expect(entryOf(catalog, `odd-${at}`)).toMatchObject({ availability: 'invalid', stored: null });
      expect(codesOf(entryOf(catalog, `odd-${at}`))).toContain('text_unstorable');
    }
    expect(entryOf(catalog, 'pair').frontmatter.author).toBe('\u{1F600}');
  });

  it('keeps file names of every script, empty files and binary ones', async () => {
    temp.write('skills/plain/références/naïve [1].md', '');
    temp.write('skills/plain/数据.bin', new Uint8Array([0, 255, 13, 10]));
    await start();
    const { files } = await catalog.content(entryOf(catalog, 'plain'));
    expect(files.map(({ path, size, kind }) => [path, size, kind])).toEqual([
      ['SKILL.md', expect.any(Number), 'text'],
      ['références/naïve [1].md', 0, 'text'],
      ['数据.bin', 4, 'binary'],
    ]);
    const { bytes } = await catalog.readFile(entryOf(catalog, 'plain'), '数据.bin');
    expect([...bytes]).toEqual([0, 255, 13, 10]);
  });

  it('moves the folder of a skill that was moved; a new one at the old place is another skill', async () => {
    temp.write('skills/plain/scripts/run.sh', 'exit 0\n', { mode: 0o755 });
    await start();
    const { id } = rowOf(catalog, 'plain');
    await move('plain', 'team/simple');
    await ground.settle(catalog);
    expect(existsSync(temp.path('skills/plain'))).toBe(false);
    expect(readFileSync(temp.path('skills/team/simple/scripts/run.sh'), 'utf8')).toBe('exit 0\n');
    expect(entryOf(catalog, 'team/simple')).toMatchObject({ id, version: 1, availability: 'available' });
    expect(catalog.snapshot().aliases.get('plain')?.id).toBe(id);
    expect(await facts.rows()).toEqual(['team/simple v1']);
    temp.skill('skills/plain', { description: 'A new one.' });
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(['plain v1', 'team/simple v1']);
    expect(entryOf(catalog, 'plain').id).not.toBe(id);
    expect(catalog.snapshot().aliases.has('plain')).toBe(false);
  });

  it('keeps an edit that was made in the old place of a moved skill', async () => {
    await start();
    const { id } = rowOf(catalog, 'plain');
    temp.skill('skills/plain', { body: 'Edited where it lay.' });
    await move('plain', 'simple');
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(['plain v1', 'simple v1']);
    expect(entryOf(catalog, 'simple').id).toBe(id);
    expect(await facts.textOf('plain', 1)).toContain('Edited where it lay.');
  });

  it('leads from a former slug to the same skill on every replica, before and after restarts', async () => {
    temp.skill('skills/other');
    await start();
    const second = await ground.open(ground.folder());
    await move('plain', 'simple');
    await move('other', 'plain');
    await move('plain', 'elsewhere');
    await move('simple', 'plain');
    await ground.settle(catalog, second);
    const fresh = await ground.open(ground.folder());
    const aliases = (one: CatalogService) =>
      [...one.snapshot().aliases].map(([slug, entry]) => `${slug} ${entry.slug}`).sort();
    expect(aliases(fresh)).toEqual(['other elsewhere', 'simple plain']);
    expect(aliases(catalog)).toEqual(aliases(fresh));
    expect(aliases(second)).toEqual(aliases(fresh));
    expect(offers(second)).toEqual(['elsewhere available', 'plain available']);
  });

  const move = (from: string, to: string) =>
    ground.edit(catalog, (change) =>
      moveSkill(change, rowOf(catalog, from), { slug: to, filePath: `skills/${to}/SKILL.md` }),
    );
});
