import { mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { catalogOf, slugsOf } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';

let temp: TempFolder;
let catalog: CatalogService;

const watching = async (options: Record<string, number> = {}): Promise<void> => {
  const watch = { enabled: true, debounceMs: 20, ...options };
  catalog = catalogOf(temp, { options: { watch } });
  await catalog.start();
};
const write = (folder: string, description: string): void => {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  temp.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\nText.\n`, {
    fresh: true,
  });
};
const descriptionOf = (slug: string): string | undefined => catalog.snapshot().bySlug.get(slug)?.description;

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(async () => {
  await catalog.stop();
  temp.remove();
});

describe('a watched catalogue', () => {
  it('never loses a skill that an editor saves by renaming', async () => {
    write('skills/notes', 'Version 1.');
    await watching();
    const missing: number[] = [];
    catalog.onChange((snapshot) => {
      if (!snapshot.bySlug.has('notes')) missing.push(snapshot.revision);
    });
    for (const version of ['Version 2.', 'Version 3.', 'Version 4.']) {
      write('skills/notes/.work', version);
      renameSync(temp.path('skills/notes/.work/SKILL.md'), temp.path('skills/notes/SKILL.md'));
      await until(`${version} is seen`, () => descriptionOf('notes') === version);
    }
    renameSync(temp.path('skills/notes/SKILL.md'), temp.path('skills/notes/SKILL.md~'));
    await catalog.refresh();
    write('skills/notes', 'Version 5.');
    unlinkSync(temp.path('skills/notes/SKILL.md~'));
    await until('version 5 is seen', () => descriptionOf('notes') === 'Version 5.');
    expect(missing).toEqual([]);
  });

  it('follows folders that come, move, go and come again', async () => {
    mkdirSync(temp.path('skills'));
    await watching();
    write('skills/new-one', 'First.');
    await until('it is there', () => slugsOf(catalog).join() === 'new-one');
    renameSync(temp.path('skills/new-one'), temp.path('skills/renamed'));
    await until('it is renamed', () => slugsOf(catalog).join() === 'renamed');
    rmSync(temp.path('skills/renamed'), { recursive: true });
    await until('it is gone', () => slugsOf(catalog).join() === '');
    mkdirSync(temp.path('skills/late'));
    await until('the empty folder is seen', () => catalog.snapshot().findings.length > 0);
    write('skills/late', 'Second.');
    await until('it is filled', () => descriptionOf('late') === 'Second.');
    rmSync(temp.path('skills'), { recursive: true });
    await until('all is gone', () => slugsOf(catalog).join() === '');
    write('skills/again', 'Third.');
    await until('the location is back', () => descriptionOf('again') === 'Third.');
    write('skills/again', 'Fourth.');
    await until('its folder is watched again', () => descriptionOf('again') === 'Fourth.');
  });

  it('hears of a change in a folder that took the place of another', async () => {
    write('skills/group/one', 'Old.');
    write('spare/one', 'Swapped in.');
    await watching();
    renameSync(temp.path('skills/group'), temp.path('old-group'));
    renameSync(temp.path('spare'), temp.path('skills/group'));
    await until('the swap is seen', () => descriptionOf('group/one') === 'Swapped in.');
    write('skills/group/one', 'Changed after.');
    await until('the change after it is seen', () => descriptionOf('group/one') === 'Changed after.');
  });

  it('hears of a script only after somebody read the skill, and then of each', async () => {
    write('skills/one', 'With a script.');
    temp.write('skills/one/scripts/run.sh', 'one');
    await watching();
    const before = await catalog.content(catalog.snapshot().bySlug.get('one')!);
    await catalog.refresh();
    const { revision } = catalog.snapshot();
    temp.write('skills/one/scripts/run.sh', 'two', { fresh: true });
    temp.write('skills/one/SKILL.md.swp', 'x', { fresh: true });
    temp.age('skills/one/SKILL.md');
    await until('the revision rises', () => catalog.snapshot().revision > revision);
    const after = await catalog.content(catalog.snapshot().bySlug.get('one')!);
    expect(after.digest).not.toBe(before.digest);
  });

  it('reads a storm of changes a few times, and its end', async () => {
    write('skills/one', 'Start.');
    await watching({ debounceMs: 200 });
    let scans = 0;
    catalog.onChange(() => scans++);
    for (let n = 0; n < 2000; n++) {
      write('skills/one', `Number ${n}.`);
      if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the last one is seen', () => descriptionOf('one') === 'Number 1999.');
    expect(scans).toBeLessThanOrEqual(6);
  });

  it('does not watch folders that are no part of a skill, and says how it watches', async () => {
    write('skills/ok', 'Fine.');
    for (let n = 0; n < 50; n++) mkdirSync(temp.path(`skills/node_modules/p${n}`), { recursive: true });
    await watching();
    // The workspace, skills/ and skills/ok.
    expect(catalog.watchState()).toEqual({ kind: 'watching', directories: 3, lastFailure: null });
    await catalog.stop();
    expect(catalog.watchState()).toEqual({ kind: 'off' });
  });
});
