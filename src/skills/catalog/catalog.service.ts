import { join } from 'node:path';
import { type DiscoveryEnv, discoveryEnv } from '../../config/discovery-env.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { SharedRun } from '../../kernel/shared-run.js';
import { runSliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { CatalogScanner } from '../discovery/catalog-scan.service.js';
import { type CatalogScan } from '../discovery/location-scan.js';
import {
  type CatalogSnapshot,
  type SkillContent,
  type SkillEntry,
  type SkillFileContent,
  type SkillLocation,
} from '../discovery/skill-entry.js';
import { type SkillSource } from '../discovery/skill-walk.service.js';
import { type SkillDocument } from '../format/skill-document.js';
import { type SyncResult } from '../sync/skill-sync.service.js';
import { carryContents } from './carry-contents.service.js';
import { CatalogWatch, type NextLook, type WatchState } from './catalog-watch.service.js';
import { isSameScan, isUnsettled } from './scan-state.js';
import { SkillContents } from './skill-contents.service.js';
import { SnapshotBuilder } from './snapshot-builder.service.js';
import { watchedDirectories } from './watched-directories.js';
import { StoredCatalog, type StoredGround } from './stored-catalog.service.js';

// A pass of the sync makes way for the next look at the disk after this time.
const SYNC_BUDGET_MS = 3000;

export type CatalogListener = (snapshot: CatalogSnapshot) => void;

/**
 * All skills that can be found now, as immutable snapshots that are swapped as a whole. A broken skill or
 * location is a finding in the snapshot; it never hides the rest.
 *
 * With a database the rows decide and folders are working copies: what is stored is served from the store, a change
 * on disk becomes a version first, and only what was never stored is read from disk. Without one, the disk is all.
 *
 * @example
 * const catalog = new CatalogService(resolveOptions({ workspace: { dir } }), new WorkspaceFiles());
 * await catalog.start();
 * catalog.snapshot().bySlug.get('pdf')?.description;
 */
export class CatalogService {
  /** Null without a database. */
  readonly stored: StoredCatalog | null;
  private readonly scanner: CatalogScanner;
  private readonly contents: SkillContents;
  private readonly builder: SnapshotBuilder;
  private readonly watch: CatalogWatch | null;
  private readonly listeners = new Set<CatalogListener>();
  private readonly now: () => number;
  private foundAs: ReadonlyMap<SkillEntry, SkillEntry> = new Map();
  private current: CatalogSnapshot | null = null;
  private lastScan: CatalogScan | undefined;
  private lastSync: SyncResult = { again: 'no', wrote: false };
  /** What the current snapshot was made from. */
  private madeFrom: { readonly scan: CatalogScan; readonly stored: string } | null = null;
  private readonly passes = new SharedRun(() => this.pass());
  private dirty: Set<string> | null = null;

  constructor(
    readonly options: SkillwrightOptions,
    private readonly files: WorkspaceFiles,
    {
      env = discoveryEnv(),
      now = Date.now,
      store,
    }: {
      readonly env?: DiscoveryEnv;
      /** Milliseconds since the epoch. */
      readonly now?: () => number;
      readonly store?: Pick<StoredGround, 'database' | 'changes'>;
    } = {},
  ) {
    this.now = now;
    this.scanner = new CatalogScanner(options, files, env);
    this.contents = new SkillContents(files, options.limits, (entry) => this.sharedDirOf(entry));
    this.stored =
      store === undefined
        ? null
        : new StoredCatalog({ options, files, now, ...store }, (entry) => this.sourceOf(entry));
    this.builder = new SnapshotBuilder(this.scanner, this.stored);
    this.watch = options.watch.enabled
      ? new CatalogWatch(options.watch, {
          scan: (dirty) => this.lookAround(dirty),
          directories: () => this.watchedDirectories(),
        })
      : null;
    this.stored?.skills.onChange(() => {
      // Another process, or a door of this one: folders may have to follow.
      if (!this.passes.isRunning()) this.watch?.nudge();
    });
  }

  /**
   * Resolves when the first scan is in the snapshot and, with `watch.enabled`, changes are noticed. With a database
   * that does not answer yet there is no snapshot until {@link attach}.
   */
  async start(): Promise<void> {
    await this.refresh();
    await this.watch?.start();
  }

  /** Takes up the database once it answers: reads the rows, and brings folders and rows together. */
  async attach(): Promise<void> {
    if (this.stored === null || this.stored.isOpen()) return;
    await this.stored.open();
    await this.refresh();
    // Only now is it known which folders are to be watched.
    this.watch?.nudge();
  }

  /** Lets a scan that is under way come to its end. */
  async stop(): Promise<void> {
    await this.watch?.stop();
    await this.passes.idle();
    await this.stored?.close();
  }

  /** @throws SkillwrightError `not_ready` before the first scan is done, `db_unavailable` before rows were read */
  snapshot(): CatalogSnapshot {
    if (this.current !== null) return this.current;
    const code = this.lastScan === undefined ? 'not_ready' : 'db_unavailable';
    throw new SkillwrightError(code, { retryAfter: 1 });
  }

  /** How changes on disk are noticed: by the system's hints, by polling alone, or not at all. */
  watchState(): WatchState {
    return this.watch?.state() ?? { kind: 'off' };
  }

  /** Every location of the profile in order, whether it exists or not. */
  locations(): readonly SkillLocation[] {
    return this.scanner.locations();
  }

  /**
   * Scans again, beginning after this call; calls during a scan share the next one. Unchanged files are not
   * opened. With a database, what changed on disk is stored before the snapshot is made.
   *
   * @returns the same object as before when nothing changed
   * @throws SkillwrightError `db_unavailable` while no rows were read
   */
  async refresh(): Promise<CatalogSnapshot> {
    this.dirty = null;
    await this.passes.next();
    return this.stored?.isOpen() === false ? (this.current as CatalogSnapshot) : this.snapshot();
  }

  /** Resolves when what is stored by now is in the snapshot, and folders followed. @throws SkillwrightError `db_unavailable` */
  async catchUp(): Promise<CatalogSnapshot> {
    await this.passes.next();
    return this.snapshot();
  }

  /** @returns a function that ends the subscription */
  onChange(listener: CatalogListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /**
   * Digest, body and files of a skill; read once and kept until its folder changes.
   *
   * @throws SkillwrightError `skill_not_found` when its SKILL.md cannot be read any more, `db_unavailable`
   */
  content(entry: SkillEntry): Promise<SkillContent> {
    if (this.stored !== null && entry.stored !== null) {
      return this.stored.contents.load(entry, entry.stored.digest);
    }
    return this.contents.load(this.foundAs.get(entry) ?? entry);
  }

  /** What {@link content} gave before, without waiting; undefined when it has to be read first. */
  knownContent(entry: SkillEntry): SkillContent | undefined {
    if (entry.stored !== null) return this.stored?.contents.peek(entry.stored.digest);
    return this.contents.peek(this.foundAs.get(entry) ?? entry);
  }

  /** The digest, if it is known without reading anything. */
  knownDigest(entry: SkillEntry): string | undefined {
    return entry.stored?.digest ?? this.knownContent(entry)?.digest;
  }

  /**
   * One file of a skill with its bytes; only files that {@link content} lists exist.
   *
   * @throws SkillwrightError `path_invalid`, `file_not_found`, `skill_not_found`, `db_unavailable`
   */
  readFile(entry: SkillEntry, path: string): Promise<SkillFileContent> {
    if (this.stored !== null && entry.stored !== null) {
      return this.stored.contents.readFile(entry, entry.stored.digest, path);
    }
    return this.contents.readFile(this.foundAs.get(entry) ?? entry, path);
  }

  /** The whole SKILL.md with all findings. @throws SkillwrightError `skill_not_found`, `db_unavailable` */
  async readDocument(entry: SkillEntry): Promise<SkillDocument> {
    if (this.stored !== null && entry.stored !== null) {
      return this.stored.contents.readDocument(entry, entry.stored.digest);
    }
    return this.contents.readDocument(this.foundAs.get(entry) ?? entry);
  }

  private async lookAround(dirty: ReadonlySet<string> | null): Promise<NextLook> {
    if (dirty === null) this.dirty = null;
    else for (const dir of dirty) this.dirty?.add(dir);
    await this.passes.next();
    const { lastScan, lastSync } = this;
    const unsettled = lastScan !== undefined && isUnsettled(lastScan, this.now());
    return unsettled && lastSync.again !== 'now' ? 'soon' : lastSync.again;
  }

  private async pass(): Promise<CatalogSnapshot | null> {
    const previous = this.lastScan;
    const { dirty } = this;
    this.dirty = new Set();
    let scan = await runSliced(this.scanner.scan(previous, this.now()));
    if (previous !== undefined) scan = await runSliced(carryContents(scan, previous, this.contents));
    this.lastScan = scan;
    if (this.stored !== null && (await this.bringTogether(this.stored, scan, dirty))) {
      scan = await runSliced(this.scanner.scan(scan, this.now()));
      this.lastScan = scan;
    }
    return this.publish(scan);
  }

  /** @returns whether folders were changed, so that the scan is out of date */
  private async bringTogether(
    stored: StoredCatalog,
    { scans }: CatalogScan,
    dirty: ReadonlySet<string> | null,
  ): Promise<boolean> {
    if (!stored.isOpen()) return false;
    try {
      const locations = this.scanner.locations();
      // What doors and other processes stored by now: folders follow in this very pass.
      await stored.skills.poll();
      const seen = stored.skills.revision();
      this.lastSync = await stored.run({ locations, scans, dirty, budgetMs: SYNC_BUDGET_MS });
      await stored.skills.poll();
      // Rows changed meanwhile, perhaps of a skill whose turn was over.
      if (stored.skills.revision() !== seen) this.lastSync = { ...this.lastSync, again: 'now' };
      return this.lastSync.wrote;
    } catch (error) {
      // What was seen is looked at again when the database is back; until then the snapshot stays as it is.
      this.dirty = null;
      this.lastSync = { again: 'soon', wrote: false };
      if (!SkillwrightError.is(error) || error.code !== 'db_unavailable') throw error;
      return false;
    }
  }

  private async publish(scan: CatalogScan): Promise<CatalogSnapshot | null> {
    const { stored, madeFrom } = this;
    if (stored?.isOpen() === false) return null;
    const state = stored === null ? '' : stored.state();
    const isUnchanged = madeFrom?.stored === state && isSameScan(madeFrom.scan, scan);
    if (this.current !== null && isUnchanged) return this.current;
    await stored?.heads.keep(this.builder.needed(scan));
    const now = this.now();
    const { foundAs, ...built } = this.builder.build(scan);
    // Never below the clock: a number is not given twice over a restart or a restored database.
    const started = Math.max(Math.floor(now / 1000), stored?.skills.revision() ?? 0);
    const revision =
      this.current === null ? started : Math.max(this.current.revision + 1, stored?.skills.revision() ?? 0);
    const snapshot = { revision, ...built, takenAt: now };
    this.foundAs = foundAs;
    this.madeFrom = { scan, stored: state };
    this.current = snapshot;
    for (const listener of [...this.listeners]) listener(snapshot);
    return snapshot;
  }

  private watchedDirectories(): ReadonlySet<string> {
    return watchedDirectories(this.scanner.locations(), this.lastScan?.scans ?? [], (entry) => [
      ...this.contents.foldersOf(entry),
      ...(this.stored?.foldersOf(entry) ?? []),
    ]);
  }

  private sourceOf(entry: SkillEntry): SkillSource {
    return {
      dir: entry.dir ?? '',
      sharedDir: this.sharedDirOf(entry),
      trusted: entry.layer === 'bundled',
    };
  }

  private sharedDirOf(entry: SkillEntry): string | null {
    if (entry.layer !== 'bundled') return null;
    const scan = this.lastScan?.scans.find(({ location }) => location.layer === 'bundled');
    const shared = scan === undefined ? null : join(scan.realDir, '_shared');
    return shared !== null && this.files.kind(shared) === 'folder' ? shared : null;
  }
}
