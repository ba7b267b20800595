import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  folder,
  ModelCatalog,
  ModelWorkspace,
  settle,
  type ModelFiles,
} from '../../../test/support/sync-world.js';
import { type SyncAction, type SyncPlace } from './sync-plan.js';

const PLACES: readonly SyncPlace[] = ['working_copy', 'mirror', 'bundle'];
const ONE = folder({ 'SKILL.md': 'one', 'a.md': 'one', 'same.md': 'same' });
const TWO = folder({ 'SKILL.md': 'two', 'b.md': 'two', 'same.md': 'same' });
const STORED = [ONE, TWO];
const DISKS: readonly ModelFiles[] = [
  ONE,
  TWO,
  folder({}),
  folder({ 'SKILL.md': 'mine', 'a.md': 'mine' }),
  folder({ 'SKILL.md': '!broken', 'a.md': 'one' }),
  folder({ 'SKILL.md': 'one', 'b.md': 'two', 'same.md': 'same' }),
  folder({ 'SKILL.md': 'two', 'a.md': 'mine', 'b.md': 'two' }),
  folder({ 'b.md': 'two' }),
];

interface Start {
  readonly place: SyncPlace;
  readonly row: { readonly current: ModelFiles; readonly deleted: boolean } | null;
  readonly base: ModelFiles | null;
  readonly disk: ModelFiles;
  readonly intent: { readonly from: ModelFiles | null; readonly to: ModelFiles | null } | null;
}

function worldOf({ place, row, base, disk, intent }: Start): ModelWorkspace {
  const catalog = new ModelCatalog();
  const digests = new Map<ModelFiles | null, string | null>([[null, null]]);
  const order = row?.current === ONE ? [TWO, ONE] : [ONE, TWO];
  for (const files of order) digests.set(files, catalog.append(files, false));
  const world = new ModelWorkspace(place, row === null ? new ModelCatalog() : catalog, disk);
  catalog.deleted = row?.deleted ?? false;
  const digestOf = (files: ModelFiles | null): string | null => digests.get(files) ?? null;
  world.base = digestOf(base);
  world.intent = intent && { from: digestOf(intent.from), to: digestOf(intent.to) };
  return world;
}

/** Every base, row, folder and intent there is; an intent stands only beside a row and in a working copy. */
function* everyStart(): Generator<Start> {
  const bases = [null, ...STORED];
  const rows = [null, ...STORED.flatMap((current) => [true, false].map((deleted) => ({ current, deleted })))];
  const intents = bases.flatMap((from) => bases.map((to) => ({ from, to })));
  for (const place of PLACES) {
    for (const row of rows) {
      for (const base of bases) {
        for (const disk of DISKS) {
          const open = row === null || place !== 'working_copy' ? [] : intents;
          for (const intent of [null, ...open]) yield { place, row, base, disk, intent };
        }
      }
    }
  }
}

const picture = (world: ModelWorkspace): string =>
  JSON.stringify([
    world.base,
    world.intent,
    world.catalog.versions,
    world.catalog.deleted,
    [...world.disk].sort(),
  ]);

/** What is wrong with a world that came to rest with this action. */
function wrongs(world: ModelWorkspace, last: SyncAction): string[] {
  const { base, catalog, disk, intent, place } = world;
  const before = picture(world);
  const again = settle(world);
  const found = [again.kind === last.kind && picture(world) === before ? '' : 'the same plan changed more'];
  const state = world.facts().disk;
  if (last.kind === 'none') {
    const there = state.kind === 'present' ? state.digest : null;
    const current = catalog.deleted ? null : (catalog.current ?? null);
    found.push(
      base === there ? '' : 'the base is not what lies there',
      intent === null ? '' : 'the write is not over',
      there === null || current !== null ? '' : 'the folder is there and the skill is deleted',
      place !== 'working_copy' || there === current ? '' : 'folder and catalogue differ',
      [...disk].every(([path, text]) => catalog.hasBytes(path, text)) ? '' : 'bytes are not in the history',
    );
  }
  return found.filter((wrong) => wrong !== '');
}

/** Fails with the first states from which something goes wrong. */
function expectOfEveryStart(check: (start: Start) => readonly string[]): void {
  const failures: unknown[] = [];
  for (const start of everyStart()) {
    let found: readonly string[];
    try {
      found = check(start);
    } catch (error) {
      found = [String(error)];
    }
    if (found.length > 0) failures.push({ start, found });
    if (failures.length > 2) break;
  }
  expect(failures).toEqual([]);
}

/** Runs `steps` steps and is killed. True: it came to its end before. */
function runFor(world: ModelWorkspace, steps: number): boolean {
  const run = world.sync();
  for (let step = 0; step < steps; step += 1) if (run.next().done) return true;
  return false;
}

describe('the plan, carried out from every state', () => {
  it('settles in five rounds, makes folder and catalogue equal, and has nothing to do afterwards', () => {
    expectOfEveryStart((start) => {
      const world = worldOf(start);
      const last = settle(world);
      return world.rounds < 5 ? wrongs(world, last) : ['it took longer'];
    });
  });

  it('comes to the same end, with the same versions, when it is killed at any step', () => {
    expectOfEveryStart((start) => {
      const whole = worldOf(start);
      settle(whole);
      for (let steps = 1; ; steps += 1) {
        const world = worldOf(start);
        if (runFor(world, steps)) return [];
        settle(world);
        if (picture(world) !== picture(whole)) return [`killed at step ${steps}: ${picture(world)}`];
      }
    });
  });

  const edits: [string, (disk: Map<string, string>) => unknown][] = [
    ['edits SKILL.md', (disk) => disk.set('SKILL.md', 'edited')],
    ['edits another file', (disk) => disk.set('same.md', 'edited')],
    [
      'deletes the folder',
      (disk) => {
        disk.clear();
      },
    ],
  ];
  it.each(edits)('keeps what lies there when it is killed at any step and a person %s', (_, edit) => {
    expectOfEveryStart((start) => {
      for (let steps = 1; ; steps += 1) {
        const world = worldOf(start);
        if (runFor(world, steps)) return [];
        edit(world.disk);
        const written = [...world.disk];
        const found = wrongs(world, settle(world));
        const { disk, catalog } = world;
        if (written.some(([path, text]) => disk.get(path) !== text && !catalog.hasBytes(path, text))) {
          found.push('what a person wrote is lost');
        }
        if (found.length > 0) return [`killed at step ${steps}`, ...found];
      }
    });
  });

  it('deletes nothing for an absence that was seen once', () => {
    expectOfEveryStart((start) => {
      const world = worldOf(start);
      world.confirmed = false;
      settle(world);
      return world.catalog.deleted && start.row?.deleted !== true ? ['it is deleted'] : [];
    });
  });

  it('leaves folders alone that it only reads', () => {
    expectOfEveryStart((start) => {
      const world = worldOf(start);
      settle(world);
      const same = JSON.stringify([...world.disk]) === JSON.stringify([...start.disk]);
      return same || start.place === 'working_copy' ? [] : ['the folder was changed'];
    });
  });
});

type Event =
  | { readonly kind: 'step' | 'kill' | 'wipe' | 'delete' | 'absence_seen_once'; readonly who: number }
  | { readonly kind: 'put'; readonly who: number; readonly files: ModelFiles }
  | { readonly kind: 'edit'; readonly who: number; readonly path: string; readonly text: string | null }
  | { readonly kind: 'save'; readonly who: number; readonly files: ModelFiles };

const who = fc.nat({ max: 1 });
const files = fc.constantFrom(...DISKS.filter(({ size }) => size > 0));
const saved = fc.constantFrom(...STORED, folder({ 'SKILL.md': 'by a door' }));
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('step' as const), who }) },
  fc.record({ kind: fc.constantFrom('kill', 'wipe', 'delete', 'absence_seen_once'), who }),
  fc.record({ kind: fc.constant('put' as const), who, files }),
  fc.record({ kind: fc.constant('save' as const), who, files: saved }),
  fc.record({
    kind: fc.constant('edit' as const),
    who,
    path: fc.constantFrom('SKILL.md', 'a.md', 'same.md'),
    text: fc.constantFrom('one', 'x', 'y', '!z', null),
  }),
);

function happen(event: Event, worlds: readonly ModelWorkspace[], runs: Map<ModelWorkspace, Generator>): void {
  const world = worlds[event.who];
  if (!world) return;
  const { catalog, disk } = world;
  const doorsWrite = world.place === 'working_copy';
  if (disk.size > 0) world.confirmed = true;
  switch (event.kind) {
    case 'step': {
      const run = runs.get(world) ?? world.sync();
      runs.set(world, run);
      if (run.next().done) runs.delete(world);
      return;
    }
    case 'kill':
      runs.delete(world);
      return;
    case 'wipe':
      disk.clear();
      return;
    case 'absence_seen_once':
      world.confirmed = disk.size > 0;
      return;
    case 'delete':
      if (doorsWrite && catalog.current !== undefined) catalog.deleted = true;
      return;
    case 'put':
      world.disk = new Map(event.files);
      return;
    case 'edit':
      if (event.text === null) disk.delete(event.path);
      else disk.set(event.path, event.text);
      return;
    case 'save':
      if (doorsWrite) catalog.save(event.files);
  }
}

describe.each(PLACES)('two workspaces that share a skill in a %s', (place) => {
  it('come to rest and lose nothing, whatever is written, saved, deleted and killed in between', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const catalog = new ModelCatalog();
        const worlds = [new ModelWorkspace(place, catalog), new ModelWorkspace(place, catalog)];
        const runs = new Map<ModelWorkspace, Generator>();
        for (const each of events) happen(each, worlds, runs);
        for (const world of worlds) world.confirmed = true;
        let before: string;
        let now = '';
        let turns = 0;
        do {
          before = now;
          worlds.forEach(settle);
          now = worlds.map(picture).join('\n');
          turns += 1;
        } while (now !== before && turns < 6);
        expect(turns).toBeLessThan(6);
        expect(worlds.flatMap((world) => wrongs(world, settle(world)))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
