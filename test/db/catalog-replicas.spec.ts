import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { deleteSkill, setEnabled } from '../../src/skills/store/skill-state.store.js';
import { CatalogGround, entryOf, offers, rowOf, served } from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { type TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

describeOnDatabases('stored catalogues on one database', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;
  let one: TempFolder;
  let two: TempFolder;

  beforeEach(async () => {
    await ground.begin();
    one = ground.folder();
    two = ground.folder();
  });

  afterEach(async () => {
    expect(await facts.violations()).toEqual([]);
    await ground.end();
  });

  async function both() {
    const first = await ground.open(one);
    const second = await ground.open(two);
    await ground.settle(first, second);
    return { first, second };
  }

  it('follow each other in one pass: edits, new skills, deletions and switches', async () => {
    one.skill('skills/a');
    one.write('skills/a/scripts/run.sh', 'exit 0\n', { mode: 0o755 });
    const { first, second } = await both();
    expect(readFileSync(two.path('skills/a/scripts/run.sh'), 'utf8')).toBe('exit 0\n');
    expect(statSync(two.path('skills/a/scripts/run.sh')).mode & 0o777).toBe(0o755);
    two.skill('skills/a', { body: 'Edited in two.' });
    two.skill('skills/b');
    await second.refresh();
    await first.refresh();
    expect(readFileSync(one.path('skills/a/SKILL.md'), 'utf8')).toContain('Edited in two.');
    expect(readFileSync(one.path('skills/b/SKILL.md'))).toEqual(readFileSync(two.path('skills/b/SKILL.md')));
    expect(entryOf(first, 'a').version).toBe(2);
    await ground.edit(first, (change) =>
      setEnabled(change, rowOf(first, 'a'), { enabled: false, reason: 'not now' }),
    );
    await second.refresh();
    expect(entryOf(second, 'a').availability).toBe('disabled');
    await ground.settle(first, second);
    rmSync(one.path('skills/b'), { recursive: true });
    await ground.settle(first, second);
    expect(offers(second)).toEqual(['a disabled']);
    expect(() => statSync(two.path('skills/b'))).toThrow('ENOENT');
    expect(await facts.rows()).toEqual(['a v2 disabled', 'b v1 deleted']);
  });

  it('come to rest: nothing changes after everybody looked', async () => {
    one.skill('skills/a');
    two.skill('skills/b');
    const { first, second } = await both();
    const counters = await facts.counters();
    await ground.settle(second, first);
    expect(await facts.counters()).toEqual(counters);
    expect(await facts.rows()).toEqual(['a v1', 'b v1']);
  });

  it('keep both edits where both were changed at once, and end with the same bytes', async () => {
    one.skill('skills/a');
    const { first, second } = await both();
    one.skill('skills/a', { body: 'One.' });
    two.skill('skills/a', { body: 'Two.' });
    await Promise.all([first.refresh(), second.refresh()]);
    await ground.settle(first, second);
    expect((await facts.history('a')).map(({ codes }) => codes)).toEqual([[], [], ['sync_both_changed']]);
    const texts = [await facts.textOf('a', 2), await facts.textOf('a', 3)].join();
    expect(texts).toContain('One.');
    expect(texts).toContain('Two.');
    expect(await served(first, 'a')).toEqual(await served(second, 'a'));
    expect(readFileSync(one.path('skills/a/SKILL.md'))).toEqual(readFileSync(two.path('skills/a/SKILL.md')));
  });

  it('keep an edit over a deletion that was made elsewhere at the same time', async () => {
    one.skill('skills/a');
    const { first, second } = await both();
    two.skill('skills/a', { body: 'Still wanted.' });
    await ground.edit(first, (change) => deleteSkill(change, rowOf(first, 'a')));
    await ground.settle(second, first);
    expect(await facts.rows()).toEqual(['a v2']);
    expect(readFileSync(one.path('skills/a/SKILL.md'), 'utf8')).toContain('Still wanted.');
  });

  it('make one skill of one that both find at once, whichever bytes they have', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `r${round}`;
      one.skill(`skills/${slug}`, { body: 'One.' });
      two.skill(`skills/${slug}`, { body: round % 2 === 0 ? 'One.' : 'Two.' });
    }
    const first = ground.build(one);
    const second = ground.build(two);
    await Promise.all([first.start(), second.start()]);
    await Promise.all([first.attach(), second.attach()]);
    await ground.settle(first, second);
    const ids = await facts.query<{ n: string }>('SELECT count(DISTINCT "id") AS n FROM {skills}');
    expect(ids).toEqual([{ n: '5' }]);
    for (let round = 0; round < 5; round++) {
      const history = await facts.history(`r${round}`);
      expect(history.length).toBe(round % 2 === 0 ? 1 : 3);
      expect(readFileSync(one.path(`skills/r${round}/SKILL.md`))).toEqual(
        readFileSync(two.path(`skills/r${round}/SKILL.md`)),
      );
    }
  });

  it('seed an empty database once when two start at the same time, twenty times', async () => {
    const bundle = ground.folder();
    for (const slug of ['p', 'q', 'r']) bundle.skill(`skills/${slug}`);
    const options = { bundled: { dir: bundle.path('skills') } };
    const wrong: string[] = [];
    for (let start = 0; start < 20; start++) {
      await facts.clear();
      const catalogs = [one, two].map((temp) => ground.build(temp, { options }));
      await Promise.all(catalogs.map((catalog) => catalog.start()));
      await Promise.all(catalogs.map((catalog) => catalog.attach()));
      for (const catalog of catalogs) {
        if (offers(catalog).join() !== 'p available,q available,r available')
          wrong.push(offers(catalog).join());
        await catalog.refresh();
      }
      const rows = (await facts.rows()).join();
      const audit = (await facts.audit()).sort().join();
      if (rows !== 'p v1,q v1,r v1') wrong.push(rows);
      if (audit !== 'skill.create p 1,skill.create q 1,skill.create r 1') wrong.push(audit);
      await Promise.all(catalogs.map((catalog) => catalog.stop()));
    }
    expect(wrong).toEqual([]);
  });

  it('answer with one version as a whole while the skill is replaced again and again', async () => {
    one.skill('skills/a', { body: 'round 0' });
    one.write('skills/a/part.md', 'round 0');
    const { first } = await both();
    const reading = { isOver: false };
    const mixed: string[] = [];
    const reader = (async () => {
      while (!reading.isOver) {
        const files = await served(first, 'a');
        const rounds = new Set(Object.values(files).map((text) => /round \d+/.exec(text)?.[0]));
        if (rounds.size !== 1) mixed.push([...rounds].join());
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 1; round <= 10; round++) {
      one.write('skills/a/part.md', `round ${round}`);
      one.skill('skills/a', { body: `round ${round}` });
      await first.refresh();
    }
    reading.isOver = true;
    await reader;
    expect(mixed).toEqual([]);
    expect(entryOf(first, 'a').version).toBe(11);
  });

  it('notice edits, new folders and deletions by themselves while they watch', async () => {
    one.skill('skills/a');
    const options = { watch: { enabled: true, debounceMs: 20 } };
    const first = await ground.open(one, { options, realTime: true });
    const gone: string[] = [];
    first.onChange(({ bySlug }) => {
      if (!bySlug.has('a')) gone.push('a');
    });
    for (const version of [2, 3, 4]) {
      one.write('skills/a/SKILL.md.tmp', `---\nname: a\ndescription: Version ${version}.\n---\n`, {
        fresh: true,
      });
      renameSync(one.path('skills/a/SKILL.md.tmp'), one.path('skills/a/SKILL.md'));
      await until(`version ${version} is offered`, () => entryOf(first, 'a').version === version);
      expect(entryOf(first, 'a').description).toBe(`Version ${version}.`);
    }
    expect(gone).toEqual([]);
    one.write('skills/b/SKILL.md', '---\nname: b\ndescription: New.\n---\n', { fresh: true });
    await until('the new folder is stored', () => first.snapshot().bySlug.get('b')?.stored?.version === 1);
    rmSync(one.path('skills/b'), { recursive: true });
    await until('its deletion is seen', () => !first.snapshot().bySlug.has('b'));
    expect(await facts.rows()).toEqual(['a v4', 'b v1 deleted']);
  });
});
