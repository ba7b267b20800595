import { chmodSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { deleteSkill, setEnabled, undeleteSkill } from '../../src/skills/store/skill-state.store.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { CatalogGround, codesOf, entryOf, offers, rowOf, served } from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { type TempFolder } from '../support/temp-folder.js';

const SCRIPT = 'skills/notes/scripts/run.py';

describeOnDatabases('a stored catalogue and the edits of people', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;
  let temp: TempFolder;
  let catalog: CatalogService;

  beforeEach(async () => {
    await ground.begin();
    temp = ground.folder();
    temp.skill('skills/notes', { description: 'Keeps notes.' });
    temp.write(SCRIPT, 'print(1)\n');
    temp.skill('skills/custom/team/minutes');
    catalog = await ground.open(temp);
    await ground.settle(catalog);
  });

  afterEach(async () => {
    expect(await facts.violations()).toEqual([]);
    await ground.end();
  });

  it('stores each skill that it finds as version 1 with origin disk', async () => {
    expect(await facts.rows()).toEqual(['custom/team/minutes v1', 'notes v1']);
    expect(entryOf(catalog, 'notes')).toMatchObject({
      version: 1,
      origin: 'disk',
      availability: 'available',
    });
    expect(await facts.audit()).toEqual(['skill.create notes 1', 'skill.create custom/team/minutes 1']);
    expect(await facts.history('notes')).toEqual([{ version: 1, by: 'disk', codes: [] }]);
  });

  const changes: readonly (readonly [what: string, change: () => void])[] = [
    [
      'SKILL.md',
      () => {
        temp.skill('skills/notes', { description: 'Keeps better notes.' });
      },
    ],
    [
      'a script',
      () => {
        temp.write(SCRIPT, 'print("more")\n');
      },
    ],
    [
      'a script, to as many bytes',
      () => {
        temp.write(SCRIPT, 'print(3)\n', { fresh: true });
      },
    ],
    [
      'the executable bit',
      () => {
        chmodSync(temp.path(SCRIPT), 0o755);
      },
    ],
    [
      'the set of files, by a new one',
      () => {
        temp.write('skills/notes/refs/deep/more.md', 'more');
      },
    ],
    [
      'the set of files, by one less',
      () => {
        rmSync(temp.path(SCRIPT));
      },
    ],
    [
      'the name of a file',
      () => {
        renameSync(temp.path(SCRIPT), temp.path('skills/notes/scripts/go.py'));
      },
    ],
  ];
  for (const [what, change] of changes) {
    it(`makes exactly one version of a change of ${what}`, async () => {
      const before = rowOf(catalog, 'notes');
      change();
      await ground.settle(catalog);
      expect(await facts.rows()).toEqual(['custom/team/minutes v1', 'notes v2']);
      expect(await facts.history('notes')).toEqual([
        { version: 1, by: 'disk', codes: [] },
        { version: 2, by: 'disk', codes: [] },
      ]);
      expect((await facts.audit()).slice(2)).toEqual(['skill.update notes 2']);
      expect(rowOf(catalog, 'notes')).toMatchObject({ id: before.id, version: 2 });
      expect(entryOf(catalog, 'notes').version).toBe(2);
    });
  }

  it('makes no version of a touched file, of files that are no part of a skill, or of nothing', async () => {
    const counters = await facts.counters();
    const seconds = Date.now() / 1000;
    utimesSync(temp.path('skills/notes/SKILL.md'), seconds, seconds);
    temp.write('skills/notes/SKILL.md', readFileSync(temp.path('skills/notes/SKILL.md')), { fresh: true });
    temp.write('skills/notes/.DS_Store', 'x');
    temp.write('skills/notes/scripts/__pycache__/run.pyc', 'x');
    await ground.settle(catalog);
    expect(await facts.counters()).toEqual(counters);
  });

  it('never shows what one SKILL.md says with the number of another', async () => {
    const swapping = new (class extends WorkspaceFiles {
      isDue = false;

      /** The first question about the folder itself comes after it was scanned, before it is read. */
      override kind(path: string) {
        if (this.isDue && path === temp.path('skills/notes')) {
          this.isDue = false;
          temp.skill('skills/notes', { description: 'Written between two looks.' });
        }
        return super.kind(path);
      }
    })();
    catalog = await ground.reopen(catalog, temp, { files: swapping });
    swapping.isDue = true;
    temp.skill('skills/notes', { description: 'Seen by the scan.' });
    await catalog.refresh();
    expect(swapping.isDue).toBe(false);
    expect(entryOf(catalog, 'notes')).toMatchObject({ version: 1, description: 'Keeps notes.' });
    await ground.settle(catalog);
    expect(entryOf(catalog, 'notes')).toMatchObject({
      version: 2,
      description: 'Written between two looks.',
    });
  });

  it('keeps the last good version while a save is broken, says why, and makes one version of the repair', async () => {
    const good = await served(catalog, 'notes');
    temp.write('skills/notes/SKILL.md', '---\nname: notes\ndescription: "Keeps\n---\n\nHalf a header.\n');
    await ground.settle(catalog);
    const during = entryOf(catalog, 'notes');
    expect(during).toMatchObject({ version: 1, availability: 'available', description: 'Keeps notes.' });
    expect(codesOf(during)).toContain('last_good_kept');
    expect(during.findings.some(({ severity }) => severity === 'error')).toBe(true);
    expect(await served(catalog, 'notes')).toEqual(good);
    expect(offers(catalog)).toContain('custom/team/minutes available');
    temp.skill('skills/notes', { description: 'Keeps repaired notes.' });
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v2');
    expect(entryOf(catalog, 'notes').findings).toEqual([]);
  });

  it('makes no version when a broken save is undone', async () => {
    const good = readFileSync(temp.path('skills/notes/SKILL.md'));
    temp.write('skills/notes/SKILL.md', 'no header');
    await ground.settle(catalog);
    temp.write('skills/notes/SKILL.md', good);
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v1');
    expect(codesOf(entryOf(catalog, 'notes'))).toEqual([]);
  });

  it('deletes a skill softly when its folder was missing twice, a second apart', async () => {
    rmSync(temp.path('skills/notes'), { recursive: true });
    await catalog.refresh();
    ground.later(500);
    await catalog.refresh();
    expect(await facts.rows()).toContain('notes v1');
    expect(offers(catalog)).toContain('notes available');
    ground.later(501);
    await catalog.refresh();
    expect(await facts.rows()).toContain('notes v1 deleted');
    expect((await facts.audit()).at(-1)).toBe('skill.delete notes 1');
    expect(offers(catalog)).toEqual(['custom/team/minutes available']);
    expect(catalog.snapshot().deleted.get('notes')).toMatchObject({ availability: 'deleted', version: 1 });
  });

  it('does not delete a skill whose folder was gone for a moment', async () => {
    renameSync(temp.path('skills/notes'), temp.path('aside'));
    await catalog.refresh();
    ground.later();
    renameSync(temp.path('aside'), temp.path('skills/notes'));
    await ground.settle(catalog);
    rmSync(temp.path('skills/notes'), { recursive: true });
    await catalog.refresh();
    expect(await facts.rows()).toContain('notes v1');
  });

  it('writes a deleted skill back when somebody restores it', async () => {
    const files = await served(catalog, 'notes');
    rmSync(temp.path('skills/notes'), { recursive: true });
    await ground.settle(catalog);
    await ground.edit(catalog, (change) => undeleteSkill(change, rowOf(catalog, 'notes')));
    expect(readFileSync(temp.path(SCRIPT), 'utf8')).toBe('print(1)\n');
    expect(await served(catalog, 'notes')).toEqual(files);
    const counters = await facts.counters();
    await ground.settle(catalog);
    expect(await facts.counters()).toEqual(counters);
    expect(await facts.rows()).toContain('notes v1');
  });

  it('revives the same id one version further when the folder of a deleted skill is back', async () => {
    const { id } = rowOf(catalog, 'notes');
    renameSync(temp.path('skills/notes'), temp.path('aside'));
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v1 deleted');
    renameSync(temp.path('aside'), temp.path('skills/notes'));
    await ground.settle(catalog);
    expect(await facts.rows()).toEqual(['custom/team/minutes v1', 'notes v2']);
    expect(entryOf(catalog, 'notes')).toMatchObject({ id, availability: 'available' });
    expect((await facts.audit()).at(-1)).toBe('skill.undelete notes 2');
  });

  it('removes the folder of a skill that was deleted through a door', async () => {
    temp.write('skills/notes/.DS_Store', 'not of the skill');
    await ground.edit(catalog, (change) => deleteSkill(change, rowOf(catalog, 'notes')));
    expect(() => statSync(temp.path('skills/notes/SKILL.md'))).toThrow('ENOENT');
    expect(() => statSync(temp.path('skills/notes/scripts'))).toThrow('ENOENT');
    expect(readFileSync(temp.path('skills/notes/.DS_Store'), 'utf8')).toBe('not of the skill');
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v1 deleted');
    expect(offers(catalog)).toEqual(['custom/team/minutes available']);
  });

  it('brings a skill back that was deleted through a door while its folder was edited', async () => {
    temp.write(SCRIPT, 'print("mine")\n');
    await ground.edit(catalog, (change) => deleteSkill(change, rowOf(catalog, 'notes')));
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v2');
    expect((await facts.history('notes')).at(-1)).toMatchObject({ codes: ['sync_edited_after_delete'] });
    expect(await facts.textOf('notes', 2, 'scripts/run.py')).toBe('print("mine")\n');
  });

  it('writes what changed in the catalogue, bytes, modes and removed files', async () => {
    temp.write(SCRIPT, 'print(2)\n', { mode: 0o755 });
    temp.write('skills/notes/extra.md', 'extra');
    await ground.settle(catalog);
    await ground.restore(catalog, 'notes', 1);
    expect(readFileSync(temp.path(SCRIPT), 'utf8')).toBe('print(1)\n');
    expect(statSync(temp.path(SCRIPT)).mode & 0o111).toBe(0);
    expect(() => statSync(temp.path('skills/notes/extra.md'))).toThrow('ENOENT');
    await ground.settle(catalog);
    expect((await facts.history('notes')).map(({ by }) => by)).toEqual(['disk', 'disk', 'somebody']);
    expect(await facts.openWrites()).toEqual([]);
  });

  it('puts the folder on top when folder and catalogue were both changed; both are in the history', async () => {
    temp.write(SCRIPT, 'print(2)\n');
    await ground.settle(catalog);
    temp.write(SCRIPT, 'print("disk")\n');
    await ground.restore(catalog, 'notes', 1);
    await ground.settle(catalog);
    expect(await facts.history('notes')).toEqual([
      { version: 1, by: 'disk', codes: [] },
      { version: 2, by: 'disk', codes: [] },
      { version: 3, by: 'somebody', codes: [] },
      { version: 4, by: 'disk', codes: ['sync_both_changed'] },
    ]);
    expect(await facts.textOf('notes', 4, 'scripts/run.py')).toBe('print("disk")\n');
  });

  it('writes a folder again that was deleted while the catalogue was changed, and says so', async () => {
    temp.write(SCRIPT, 'print(2)\n');
    await ground.settle(catalog);
    rmSync(temp.path('skills/notes'), { recursive: true });
    await ground.restore(catalog, 'notes', 1);
    await ground.settle(catalog);
    expect(readFileSync(temp.path(SCRIPT), 'utf8')).toBe('print(1)\n');
    expect(codesOf(entryOf(catalog, 'notes'))).toEqual(['sync_deleted_while_changed']);
    expect(await facts.rows()).toContain('notes v3');
  });

  it('keeps what lies in the way of a folder that is to be written, and says what it is', async () => {
    rmSync(temp.path('skills/notes/SKILL.md'));
    temp.write(SCRIPT, 'print("kept by nobody else")\n');
    await ground.settle(catalog);
    expect(await facts.rows()).toContain('notes v1 deleted');
    await ground.edit(catalog, (change) => undeleteSkill(change, rowOf(catalog, 'notes')));
    await ground.settle(catalog);
    expect(readFileSync(temp.path(SCRIPT), 'utf8')).toContain('nobody else');
    const [remark] = entryOf(catalog, 'notes').findings;
    expect(remark).toMatchObject({ code: 'sync_blocked', found: 'scripts/run.py' });
    rmSync(temp.path('skills/notes'), { recursive: true });
    await ground.settle(catalog);
    expect(entryOf(catalog, 'notes').findings).toEqual([]);
    expect(readFileSync(temp.path(SCRIPT), 'utf8')).toBe('print(1)\n');
  });

  it('leaves rows and folders as they are when a skill is only switched off and on', async () => {
    const toggle = (enabled: boolean) =>
      ground.edit(catalog, (change) =>
        setEnabled(change, rowOf(catalog, 'notes'), enabled ? { enabled } : { enabled, reason: 'not today' }),
      );
    const { ctimeMs } = statSync(temp.path('skills/notes/SKILL.md'));
    await toggle(false);
    expect(entryOf(catalog, 'notes')).toMatchObject({ availability: 'disabled', version: 1 });
    await toggle(true);
    await ground.settle(catalog);
    expect(entryOf(catalog, 'notes')).toMatchObject({ availability: 'available', version: 1 });
    expect(statSync(temp.path('skills/notes/SKILL.md')).ctimeMs).toBe(ctimeMs);
  });
});
