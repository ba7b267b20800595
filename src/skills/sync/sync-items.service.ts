import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type FoundSkill } from '../discovery/found-skill.js';
import { type LocationScan } from '../discovery/location-scan.js';
import { type SkillLocation, type StoredSkill } from '../discovery/skill-entry.js';
import { hasLeftBundle } from '../store/stored-skill.js';
import { placeKey, type StoredSkills } from '../store/stored-skills.service.js';
import { type OpenWrite } from '../store/workspace.store.js';
import { type DiskFacts } from './disk-facts.service.js';
import { countLost, type Disappearance, judgeDisappearance, type RootFacts } from './mass-disappearance.js';
import { type SyncJournal } from './sync-journal.service.js';
import { type DiskState, type SyncFacts, type SyncPlace } from './sync-plan.js';

// Absence counts when it is seen again after this time.
const CONFIRM_MS = 1000;

/** One skill of one location: what was found there, if anything. */
export interface SyncItem {
  readonly location: SkillLocation;
  readonly place: SyncPlace;
  readonly slug: string;
  /** Of layer and slug. */
  readonly key: string;
  /** Below the location, in the on-disk spelling where there is one. */
  readonly folder: string;
  readonly found: FoundSkill | null;
}

export interface ItemParts {
  readonly files: WorkspaceFiles;
  readonly journal: SyncJournal;
  readonly facts: DiskFacts;
  readonly stored: StoredSkills;
  /** False where the workspace cannot be written to: then it is only read. */
  readonly writable: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What is known of each skill on disk, in the catalogue and of the last sync, put together for the plan. */
export class SyncItems {
  private readonly absentSince = new Map<string, number>();
  private readonly roots = new Map<string, string>();

  constructor(private readonly parts: ItemParts) {}

  /** Every slug that lies in the location, or that catalogue or journal know there. */
  of(location: SkillLocation, scan: LocationScan | undefined): SyncItem[] {
    const { journal, stored } = this.parts;
    const { layer } = location;
    const items = new Map<string, SyncItem>();
    const add = (slug: string, folder: string, found: FoundSkill | null): void => {
      // Of two spellings of one slug the first counts, as for everybody who asks.
      if (items.has(slug)) return;
      const isLink = found !== null && found.entry.dir !== `${scan?.realDir ?? ''}/${folder}`;
      const place = isLink ? 'mirror' : this.placeOf(location);
      items.set(slug, { location, place, slug, key: placeKey(layer, slug), folder, found });
    };
    for (const [folder, found] of scan?.skills ?? []) add(found.entry.slug, folder, found);
    for (const { slug } of journal.itemsOf('skill', layer)) add(slug, slug, null);
    if (layer === 'workspace') {
      for (const { slug } of journal.writesOf('skill')) add(slug, slug, null);
      for (const skill of stored.live()) if (skill.layer === layer) add(skill.slug, skill.slug, null);
    }
    return [...items.values()];
  }

  private placeOf({ layer }: SkillLocation): SyncPlace {
    if (layer === 'workspace') return this.parts.writable ? 'working_copy' : 'mirror';
    return layer === 'bundled' ? 'bundle' : 'mirror';
  }

  /** Looks at what may have changed, without opening a file. */
  *look(items: readonly SyncItem[], dirty: ReadonlySet<string> | null): Sliced<undefined> {
    const { facts, journal, now } = this.parts;
    for (const { key, found, slug, location } of items) {
      if (found === null) {
        facts.forget(key);
        if (!this.absentSince.has(key)) this.absentSince.set(key, now());
        continue;
      }
      this.absentSince.delete(key);
      if (found.held !== null || found.entry.version === 0) continue;
      const fact = facts.get(key);
      const stands = fact?.entry === found.entry && fact.fingerprint !== null;
      if (stands && dirty !== null && !fact.folders.some((dir) => dirty.has(dir))) continue;
      const synced = journal.item('skill', location.layer, slug);
      // Never seen before: its bytes will be read, and a look would say nothing more.
      if (fact === undefined && synced === undefined) continue;
      const look = yield* facts.look(key, found, synced);
      if (look === 'unread') facts.forget(key);
    }
  }

  /** Whether the location lost so much at once that nobody can have meant it. */
  judge(location: SkillLocation, scan: LocationScan | undefined, items: readonly SyncItem[]): Disappearance {
    const root = this.rootOf(location, scan);
    const judged = judgeDisappearance({ ...countLost(items.map((item) => this.factsOf(item))), root });
    if (judged.kind === 'ordinary') this.trustRoot(location, root.now);
    return judged;
  }

  /** What is missing from a layer now. */
  missing(layer: string): ReturnType<SyncJournal['itemsOf']> {
    const items = this.parts.journal.itemsOf('skill', layer);
    return items.filter(({ slug }) => this.absentSince.has(placeKey(layer, slug)));
  }

  openWriteOf({ place, slug }: SyncItem): OpenWrite | undefined {
    return place === 'working_copy' ? this.parts.journal.write('skill', slug) : undefined;
  }

  private trustRoot({ layer }: SkillLocation, root: string | null): void {
    if (root === null) this.roots.delete(layer);
    else this.roots.set(layer, root);
  }

  private rootOf({ layer }: SkillLocation, scan: LocationScan | undefined): RootFacts {
    const stamp = scan === undefined ? null : this.parts.files.stamp(scan.realDir);
    const now = scan === undefined || stamp === null ? null : `${scan.realDir}:${stamp.dev}:${stamp.ino}`;
    const empty = scan === undefined || (scan.skills.size === 0 && scan.folders.size <= 1);
    return { before: this.roots.get(layer) ?? null, now, empty };
  }

  storedOf({ location, slug }: SyncItem): StoredSkill | undefined {
    const { stored } = this.parts;
    return stored.at(location.layer, slug) ?? stored.deletedAt(location.layer, slug);
  }

  /** The usual case, decided without making objects. */
  isInStep(item: SyncItem): boolean {
    const { journal, facts } = this.parts;
    const base = journal.item('skill', item.location.layer, item.slug);
    const fact = facts.get(item.key);
    if (item.found === null || base === undefined || fact?.entry !== item.found.entry) return false;
    const { found } = item;
    const settled = fact.fingerprint !== null && base.fingerprint === fact.fingerprint;
    const stored = this.parts.stored.at(item.location.layer, item.slug);
    return (
      settled &&
      found.held === null &&
      fact.digest === base.digest &&
      stored?.digest === base.digest &&
      !hasLeftBundle(stored) &&
      this.openWriteOf(item) === undefined
    );
  }

  factsOf(item: SyncItem): SyncFacts {
    const { journal } = this.parts;
    const stored = this.storedOf(item);
    const write = this.openWriteOf(item);
    return {
      place: item.place,
      base: journal.item('skill', item.location.layer, item.slug)?.digest ?? null,
      catalog: stored === undefined ? this.movedAway(item) : catalogOf(stored),
      disk: this.diskOf(item),
      intent: write === undefined ? null : { from: write.from, to: write.to },
    };
  }

  /** What a skill that has another slug now left behind here counts as deleted. */
  private movedAway({ location, slug }: SyncItem): SyncFacts['catalog'] {
    const { stored, journal } = this.parts;
    const base = journal.item('skill', location.layer, slug);
    if (base === undefined || stored.aliasAt(location.layer, slug) === undefined) return null;
    return { digest: base.digest, deleted: true };
  }

  private diskOf({ key, found }: SyncItem): DiskState {
    if (found === null) {
      const since = this.absentSince.get(key) ?? this.parts.now();
      return { kind: 'absent', confirmed: this.parts.now() - since >= CONFIRM_MS };
    }
    const fact = this.parts.facts.get(key);
    const problem = found.entry.version === 0 ? found.entry.findings : (fact?.refused ?? []);
    const [error] = problem.filter(({ severity }) => severity === 'error');
    if (error !== undefined) return { kind: 'broken', because: error.message };
    return fact?.digest === undefined || fact.digest === null
      ? { kind: 'broken', because: 'it was not read' }
      : { kind: 'present', digest: fact.digest };
  }
}

function catalogOf(stored: StoredSkill): SyncFacts['catalog'] {
  return { digest: stored.digest, deleted: stored.deleted || hasLeftBundle(stored) };
}
