import { randomUUID } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { type SkillwrightOptions } from '../../config/options.js';
import { type DatabaseService } from '../../database/database.service.js';
import { type ChangeStore } from '../../events/change.store.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding } from '../../kernel/finding.js';
import { nameUuid } from '../../kernel/name-uuid.js';
import { machineId } from '../../workspace/machine-id.adapter.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { type SkillSource } from '../discovery/skill-walk.service.js';
import { BlobStore } from '../store/blob.store.js';
import { backfillFileHashes } from '../store/skill-state.store.js';
import { SkillStore } from '../store/skill.store.js';
import { StoredHeads } from '../store/stored-heads.service.js';
import { placeKey, StoredSkills } from '../store/stored-skills.service.js';
import { WorkspaceStore } from '../store/workspace.store.js';
import { DiskFacts } from '../sync/disk-facts.service.js';
import { SkillSync, type SyncRequest, type SyncResult } from '../sync/skill-sync.service.js';
import { DISK_AUTHOR } from '../sync/sync-actions.service.js';
import { SyncJournal } from '../sync/sync-journal.service.js';
import { WorkingCopy } from '../sync/working-copy.service.js';
import { claimWorkspace, type WorkspaceClaim } from '../sync/workspace-marker.service.js';
import { PinnedVersions } from './pinned-versions.service.js';
import { type StoredSide } from './snapshot-builder.service.js';
import { StoredContents } from './stored-contents.service.js';

export interface StoredGround {
  readonly options: SkillwrightOptions;
  readonly files: WorkspaceFiles;
  readonly database: DatabaseService;
  readonly changes: ChangeStore;
  readonly now: () => number;
}

// What another process changed is seen after this time. An embedded database has no other process.
const ASK_EVERY_MS = 2000;
const NONE_VANISHED: ReadonlyMap<string, string> = new Map();
const NO_REMARKS: ReadonlyMap<string, Finding> = new Map();

/** The database's part of a catalogue: rows, versions, bytes, and the sync with the folders. */
export class StoredCatalog implements StoredSide {
  readonly blobs: BlobStore;
  readonly versions: SkillStore;
  readonly skills: StoredSkills;
  readonly heads: StoredHeads;
  readonly contents: StoredContents;
  readonly pins: PinnedVersions;
  readonly facts: DiskFacts;
  readonly changes: ChangeStore;
  private sync: SkillSync | null = null;
  private journal: SyncJournal | null = null;
  private claimed: (WorkspaceClaim & { readonly exists: boolean }) | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private asking: NodeJS.Timeout | null = null;

  constructor(
    private readonly ground: StoredGround,
    private readonly sourceOf: (entry: SkillEntry) => SkillSource,
  ) {
    const { database, changes, options, files, now } = ground;
    this.changes = changes;
    this.blobs = new BlobStore(database);
    this.versions = new SkillStore(database);
    this.skills = new StoredSkills(this.versions, changes);
    this.heads = new StoredHeads(this.blobs, options.limits);
    this.contents = new StoredContents(this.versions, this.blobs, options.limits);
    this.pins = new PinnedVersions(this.skills, this.versions, this.heads);
    this.facts = new DiskFacts(files, options.limits, sourceOf, now);
  }

  /** Whether rows were read; until then nobody knows what may be offered. */
  isOpen(): boolean {
    return this.sync !== null;
  }

  /** Reads the rows and finds out which workspace this is. @throws SkillwrightError `db_unavailable` */
  async open(): Promise<void> {
    const { options, files, database, changes, now } = this.ground;
    await changes.run(DISK_AUTHOR, (change) => backfillFileHashes(change));
    await this.skills.refresh();
    const machine = machineId();
    const claim = this.claim(machine);
    this.claimed = claim;
    // The data folder of an embedded database has one owner; what its predecessor left is its own.
    const holder = database.status().kind === 'embedded' ? 'embedded' : randomUUID();
    if (database.status().kind === 'postgres') this.askRegularly();
    const workspaces = new WorkspaceStore(database);
    this.journal = await SyncJournal.open(workspaces, { id: claim.id, machine }, holder);
    this.sync = new SkillSync({
      files,
      changes,
      blobs: this.blobs,
      skills: this.versions,
      stored: this.skills,
      facts: this.facts,
      journal: this.journal,
      copies: new WorkingCopy(files, options.limits),
      limits: options.limits,
      writable: claim.writable,
      now,
    });
  }

  /** Lets another process sync the workspace at once. */
  async close(): Promise<void> {
    if (this.asking !== null) clearInterval(this.asking);
    await this.last.catch(() => undefined);
    await this.journal?.release().catch(() => undefined);
  }

  private askRegularly(): void {
    this.asking ??= setInterval(() => {
      // An outage is told by whoever needs the database; the next question is two seconds away.
      this.skills.poll().catch(() => undefined);
    }, ASK_EVERY_MS).unref();
  }

  /**
   * A workspace that is gone is made anew where there is something to put into it. Where there is not, the folder may
   * be one that nobody meant, and is not made.
   */
  private claim(machine: string): WorkspaceClaim & { readonly exists: boolean } {
    const { files } = this.ground;
    const dir = this.workspace();
    const isWanted = Array.from(this.skills.live()).some(({ layer }) => layer === 'workspace');
    if (isWanted && files.kind(dir) === null) files.mkdir(dirname(dir), basename(dir));
    if (files.resolve(dir)?.kind === 'folder') {
      return { ...claimWorkspace(files, dir, machine), exists: true };
    }
    const id = nameUuid(`workspace\0${machine}\0${dir}`);
    return { id, state: 'new', writable: false, findings: [], exists: false };
  }

  /** One pass of the sync, alone. */
  async run(request: SyncRequest): Promise<SyncResult> {
    const appeared = this.claimed?.exists === false && this.ground.files.kind(this.workspace()) === 'folder';
    if (appeared) await this.open();
    return this.exclusive((sync) => sync.run(request));
  }

  /** Runs work that touches folders or their base; one at a time. @throws SkillwrightError `db_unavailable` */
  exclusive<T>(work: (sync: SkillSync, journal: SyncJournal) => Promise<T>): Promise<T> {
    const run = this.last.then(() => {
      const { sync, journal } = this;
      if (sync === null || journal === null) throw new SkillwrightError('db_unavailable', { retryAfter: 1 });
      return work(sync, journal);
    });
    this.last = run.catch(() => undefined);
    return run;
  }

  /** Whether folders of the workspace may be written. */
  isWritable(): boolean {
    return this.claimed?.writable === true;
  }

  /** Remarks about the workspace as a whole. */
  findings(): readonly Finding[] {
    return this.claimed?.findings ?? [];
  }

  vanished(): ReadonlyMap<string, string> {
    return this.sync?.vanished() ?? NONE_VANISHED;
  }

  remarks(): ReadonlyMap<string, Finding> {
    return this.sync?.remarks() ?? NO_REMARKS;
  }

  /** Folders of a skill whose change would change its digest. */
  foldersOf({ layer, slug }: SkillEntry): readonly string[] {
    return this.facts.get(placeKey(layer, slug))?.folders ?? [];
  }

  /** Another text whenever a snapshot of the same scan would be another one. */
  state(): string {
    const remarks = [...this.vanished(), ...this.remarks()];
    return `${this.skills.revision() ?? ''}:${this.facts.generation()}:${JSON.stringify(remarks)}`;
  }

  private workspace(): string {
    return resolve(this.ground.options.workspace.dir);
  }
}
