import { dirname, join } from 'node:path';
import { type DiscoveryEnv, discoveryEnv } from '../../config/discovery-env.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Sliced, runSliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { mergeSkills } from '../discovery/merge.js';
import {
  type CatalogSnapshot,
  type SkillContent,
  type SkillEntry,
  type SkillFileContent,
  type SkillLocation,
} from '../discovery/skill-entry.js';
import { type SkillDocument } from '../format/skill-document.js';
import { carryContents } from './carry-contents.service.js';
import { type CatalogScan, CatalogScanner } from './catalog-scan.service.js';
import { CatalogWatch, type WatchState } from './catalog-watch.service.js';
import { SkillContents } from './skill-contents.service.js';

// A file that cannot be read for longer than this is left to the regular pass.
const RECHECK_FOR_MS = 10_000;

export type CatalogListener = (snapshot: CatalogSnapshot) => void;

/**
 * All skills that can be found now, as immutable snapshots that are swapped as a whole. A broken skill or
 * location is a finding in the snapshot; it never hides the rest.
 *
 * @example
 * const catalog = new CatalogService(resolveOptions({ workspace: { dir } }), new WorkspaceFiles());
 * await catalog.start();
 * catalog.snapshot().bySlug.get('pdf')?.description;
 */
export class CatalogService {
  private readonly scanner: CatalogScanner;
  private readonly contents: SkillContents;
  private readonly watch: CatalogWatch | null;
  private readonly listeners = new Set<CatalogListener>();
  /** Entry of a snapshot -> the same skill without what other locations add; contents are kept by it. */
  private readonly foundAs = new WeakMap<SkillEntry, SkillEntry>();
  private current: CatalogSnapshot | null = null;
  private lastScan: CatalogScan | undefined;
  private running: Promise<CatalogSnapshot> | null = null;
  private waiting: Promise<CatalogSnapshot> | null = null;

  constructor(
    options: SkillwrightOptions,
    files: WorkspaceFiles,
    env: DiscoveryEnv = discoveryEnv(),
    private readonly now: () => number = Date.now,
  ) {
    this.scanner = new CatalogScanner(options, files, env);
    this.contents = new SkillContents(files, options.limits, (entry) => this.sharedDirOf(entry, files));
    this.watch = options.watch.enabled
      ? new CatalogWatch(options.watch, {
          scan: () => this.refresh().then(() => this.isUnsettled()),
          directories: () => this.watchedDirectories(),
        })
      : null;
  }

  /** Resolves when the first scan is in the snapshot and, with `watch.enabled`, changes are noticed. */
  async start(): Promise<void> {
    await this.refresh();
    await this.watch?.start();
  }

  /** Lets a scan that is under way come to its end. */
  async stop(): Promise<void> {
    await this.watch?.stop();
    await Promise.allSettled([this.running, this.waiting]);
  }

  /** @throws SkillwrightError `not_ready` before the first scan is done */
  snapshot(): CatalogSnapshot {
    if (this.current === null) throw new SkillwrightError('not_ready', { retryAfter: 1 });
    return this.current;
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
   * opened.
   *
   * @returns the same object as before when nothing changed
   */
  refresh(): Promise<CatalogSnapshot> {
    if (this.waiting !== null) return this.waiting;
    if (this.running === null) return this.beginScan();
    this.waiting = this.running.then(
      () => this.beginScan(),
      () => this.beginScan(),
    );
    return this.waiting;
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
   * @throws SkillwrightError `skill_not_found` when its SKILL.md cannot be read any more
   */
  content(entry: SkillEntry): Promise<SkillContent> {
    return this.contents.load(this.found(entry));
  }

  /** What {@link content} gave before, without waiting; undefined when it has to be read first. */
  knownContent(entry: SkillEntry): SkillContent | undefined {
    return this.contents.peek(this.found(entry));
  }

  /**
   * One file of a skill with its bytes; only files that {@link content} lists exist.
   *
   * @throws SkillwrightError `path_invalid`, `file_not_found`, `skill_not_found`
   */
  readFile(entry: SkillEntry, path: string): Promise<SkillFileContent> {
    return this.contents.readFile(this.found(entry), path);
  }

  /** The whole SKILL.md with all findings. @throws SkillwrightError `skill_not_found` */
  readDocument(entry: SkillEntry): Promise<SkillDocument> {
    return new Promise((resolve) => {
      resolve(this.contents.readDocument(this.found(entry)));
    });
  }

  private found(entry: SkillEntry): SkillEntry {
    return this.foundAs.get(entry) ?? entry;
  }

  private beginScan(): Promise<CatalogSnapshot> {
    this.waiting = null;
    const running = runSliced(this.scan()).finally(() => {
      this.running = null;
    });
    this.running = running;
    return running;
  }

  private *scan(): Sliced<CatalogSnapshot> {
    const now = this.now();
    const previous = this.lastScan;
    let scan = yield* this.scanner.scan(previous, now);
    if (previous !== undefined) scan = yield* carryContents(scan, previous, this.contents);
    this.lastScan = scan;
    if (this.current !== null && previous !== undefined && !isChanged(previous, scan)) return this.current;
    const snapshot = this.buildSnapshot(scan, now);
    this.current = snapshot;
    for (const listener of [...this.listeners]) listener(snapshot);
    return snapshot;
  }

  private buildSnapshot(scan: CatalogScan, now: number): CatalogSnapshot {
    const found = scan.scans.flatMap(({ skills }) => Array.from(skills.values(), ({ entry }) => entry));
    const { foundAs, ...merged } = mergeSkills(found, this.scanner.builtins, this.scanner.identity);
    for (const [entry, origin] of foundAs) this.foundAs.set(entry, origin);
    // Without a database the counter starts at the clock, so that a number is not given twice over a restart.
    const revision = this.current === null ? Math.floor(now / 1000) : this.current.revision + 1;
    const findings = [...scan.findings, ...scan.scans.flatMap((location) => location.findings)];
    return { revision, ...merged, findings, takenAt: now };
  }

  /** Whether some file is in between two states, so that another look is due soon. */
  private isUnsettled(): boolean {
    const now = this.now();
    const skills = this.lastScan?.scans.flatMap((scan) => Array.from(scan.skills.values())) ?? [];
    return skills.some(({ held, stamp, settled, entry }) =>
      held === null ? entry.version === 0 && stamp !== null && !settled : now - held.since < RECHECK_FOR_MS,
    );
  }

  private watchedDirectories(): ReadonlySet<string> {
    const dirs = new Set<string>();
    for (const { dir, layer } of this.scanner.locations()) {
      // Where a location would appear, and where the lock file lies that makes another one count.
      const isThere = this.lastScan?.scans.some((scan) => scan.location.dir === dir) === true;
      if (!isThere || layer === 'workspace') dirs.add(dirname(dir));
    }
    for (const { folders, skills } of this.lastScan?.scans ?? []) {
      for (const { dir } of folders.values()) dirs.add(dir);
      for (const { entry } of skills.values()) {
        if (entry.dir !== null) dirs.add(entry.dir);
        for (const dir of this.contents.foldersOf(entry)) dirs.add(dir);
      }
    }
    return dirs;
  }

  private sharedDirOf(entry: SkillEntry, files: WorkspaceFiles): string | null {
    if (entry.layer !== 'bundled') return null;
    const scan = this.lastScan?.scans.find(({ location }) => location.layer === 'bundled');
    const shared = scan === undefined ? null : join(scan.realDir, '_shared');
    return shared !== null && files.kind(shared) === 'folder' ? shared : null;
  }
}

function isChanged(before: CatalogScan, after: CatalogScan): boolean {
  if (before.scans.length !== after.scans.length) return true;
  if (JSON.stringify(before.findings) !== JSON.stringify(after.findings)) return true;
  return after.scans.some((scan, at) => {
    const earlier = before.scans[at];
    if (earlier === undefined || earlier.realDir !== scan.realDir || earlier.skills.size !== scan.skills.size)
      return true;
    for (const [folder, found] of scan.skills) {
      if (earlier.skills.get(folder)?.entry !== found.entry) return true;
    }
    return JSON.stringify(earlier.findings) !== JSON.stringify(scan.findings);
  });
}
