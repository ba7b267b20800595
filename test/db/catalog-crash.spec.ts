import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type CatalogService } from '../../src/skills/catalog/catalog.service.js';
import { deleteSkill } from '../../src/skills/store/skill-state.store.js';
import { WORKSPACE_MARKER } from '../../src/skills/discovery/locations.js';
import { CatalogGround, rowOf } from '../support/catalog-ground.js';
import { describeOnDatabases, it } from '../support/databases.js';
import { Killed, MortalProcess } from '../support/killed-process.js';
import { type TempFolder } from '../support/temp-folder.js';

interface End {
  readonly rows: readonly string[];
  readonly audit: readonly string[];
  /** Text of scripts/run.sh in the folder; null: there is none. */
  readonly script: string | null;
}

interface Story {
  /** Before the process begins to die; without it, it dies from its start on. */
  readonly before?: (temp: TempFolder, catalog: CatalogService) => Promise<unknown>;
  /** What the process does while it dies. */
  readonly during: (temp: TempFolder, catalog: CatalogService, mortal: MortalProcess) => Promise<unknown>;
  /** How everything is after another process had its time. */
  readonly done: End;
  /** The same where a door had not committed yet and so acknowledged nothing. */
  readonly undone?: End;
}

const SCRIPT = 'skills/a/scripts/run.sh';

describeOnDatabases('a process that dies', (database) => {
  const ground = new CatalogGround(database);
  const { facts } = ground;

  beforeEach(() => ground.begin());
  afterEach(() => ground.end());

  const nothing = () => Promise.resolve();
  const found: End = {
    rows: ['a v1', 'b v1'],
    audit: ['skill.create a 1', 'skill.create b 1'],
    script: 'exit 1\n',
  };
  const edited: End = {
    rows: ['a v2', 'b v1'],
    audit: [...found.audit, 'skill.update a 2'],
    script: 'exit 2\n',
  };
  const deleted: End = {
    rows: ['a v1 deleted', 'b v1'],
    audit: [...found.audit, 'skill.delete a 1'],
    script: null,
  };
  const edit = (temp: TempFolder): void => {
    temp.write(SCRIPT, 'exit 2\n', { mode: 0o644 });
    temp.write('skills/a/more.md', 'more');
  };
  /** Another process, and its first pass. */
  const start = async (temp: TempFolder, _: CatalogService, mortal: MortalProcess): Promise<void> => {
    const catalog = ground.build(temp, mortal);
    await catalog.start();
    await catalog.attach();
  };
  const stories: Readonly<Record<string, Story>> = {
    'reading a workspace for the first time': {
      during: start,
      done: found,
    },
    'storing an edit': {
      before: nothing,
      during: (temp, catalog) => {
        edit(temp);
        return catalog.refresh();
      },
      done: edited,
    },
    'writing what a door changed': {
      before: (temp, catalog) => {
        edit(temp);
        return catalog.refresh();
      },
      during: (_, catalog) => ground.restore(catalog, 'a', 1),
      done: { rows: ['a v3', 'b v1'], audit: [...edited.audit, 'skill.restore a 3'], script: 'exit 1\n' },
      undone: edited,
    },
    'removing what a door deleted': {
      before: nothing,
      during: (_, catalog) => ground.edit(catalog, (change) => deleteSkill(change, rowOf(catalog, 'a'))),
      done: deleted,
      undone: found,
    },
    'deleting what a person removed': {
      before: async (temp, catalog) => {
        rmSync(temp.path('skills/a'), { recursive: true });
        await catalog.refresh();
        ground.later();
      },
      during: (_, catalog) => catalog.refresh(),
      done: deleted,
    },
    'keeping a folder that was never synced below what the catalogue has': {
      before: async (temp, catalog) => {
        edit(temp);
        await catalog.refresh();
        rmSync(temp.path(WORKSPACE_MARKER));
        temp.write(SCRIPT, 'exit 3\n');
        await catalog.stop();
      },
      during: start,
      done: { rows: ['a v4', 'b v1'], audit: [...edited.audit, 'skill.update a 4'], script: 'exit 2\n' },
    },
  };

  for (const [doing, story] of Object.entries(stories)) {
    it(`${doing}, at any step, leaves nothing half done behind`, async () => {
      const wrong: string[] = [];
      let steps = 0;
      for (let isOver = false; !isOver; steps++) {
        const life = await liveAndDie(story, steps);
        wrong.push(...life.wrong.map((one) => `after step ${steps}: ${one}`));
        isOver = !life.died;
      }
      expect(wrong).toEqual([]);
      expect(steps).toBeGreaterThan(8);
    }, 60_000);
  }

  it('in the middle of a write, keeps what a person wrote there before another process went on', async () => {
    const temp = workspace();
    const mortal = new MortalProcess(database.service);
    const catalog = await ground.open(temp, mortal);
    edit(temp);
    await catalog.refresh();
    mortal.dieAt('remove a/more.md');
    await expect(ground.restore(catalog, 'a', 1)).rejects.toThrow(Killed);
    temp.write(SCRIPT, 'exit "mine"\n');
    await facts.expireLeases();
    const next = await ground.open(temp);
    await ground.settle(next);
    expect(await facts.history('a')).toEqual([
      { version: 1, by: 'disk', codes: [] },
      { version: 2, by: 'disk', codes: [] },
      { version: 3, by: 'somebody', codes: [] },
      { version: 4, by: 'disk', codes: ['sync_interrupted_write'] },
      { version: 5, by: 'disk', codes: [] },
    ]);
    expect(await facts.textOf('a', 4, 'scripts/run.sh')).toBe('exit "mine"\n');
    expect(scriptOf(temp)).toBe('exit 1\n');
    expect(await facts.violations()).toEqual([]);
  });

  function workspace(): TempFolder {
    const temp = ground.folder();
    temp.write(SCRIPT, 'exit 1\n', { mode: 0o755 });
    temp.skill('skills/a');
    temp.skill('skills/b');
    return temp;
  }

  /** One life of so many steps, and what is wrong after the next process came to rest. */
  async function liveAndDie(story: Story, steps: number): Promise<{ died: boolean; wrong: string[] }> {
    await facts.clear();
    const temp = workspace();
    const mortal = new MortalProcess(database.service);
    let catalog = ground.build(temp, mortal);
    if (story.before !== undefined) {
      await catalog.start();
      await catalog.attach();
      await story.before(temp, catalog);
    }
    mortal.dieAfter(steps);
    await story.during(temp, catalog, mortal).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    const died = mortal.isDead();
    const wrong = await facts.violations();
    const isCommitted = (await facts.audit()).join() === story.done.audit.join();
    mortal.dieAfter(-1);
    await facts.expireLeases();
    catalog = await ground.open(temp);
    ground.later();
    await catalog.refresh();
    const end = story.undone === undefined || isCommitted ? story.done : story.undone;
    const is: End = { rows: await facts.rows(), audit: await facts.audit(), script: scriptOf(temp) };
    if (JSON.stringify(is) !== JSON.stringify(end)) wrong.push(JSON.stringify(is));
    if (is.script === 'exit 1\n' && (statSync(temp.path(SCRIPT)).mode & 0o111) === 0) wrong.push('mode');
    wrong.push(...(await facts.violations()), ...(await facts.openWrites()), ...leftovers(temp));
    await catalog.stop();
    return { died, wrong };
  }
});

function scriptOf(temp: TempFolder): string | null {
  try {
    return readFileSync(temp.path(SCRIPT), 'utf8');
  } catch {
    return null;
  }
}

function leftovers(temp: TempFolder): string[] {
  return readdirSync(temp.dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('.skw-'),
  );
}
