import { type SkillwrightOptions } from '../../config/options.js';
import { DirectoryWatcher } from '../../workspace/directory-watcher.adapter.js';
import { runSliced } from '../../workspace/time-slices.js';
import { WORKSPACE_MARKER } from '../discovery/locations.js';
import { isPartOfSkill } from '../discovery/not-part.js';

// A stream of changes that never pauses is read at least this often.
const MAX_WAIT_MS = 5000;
const LOOK_AGAIN_MS = { now: 0, soon: 700, later: 5000 } as const;

/** How changes on disk are noticed. */
export type WatchState =
  | { readonly kind: 'off' }
  | { readonly kind: 'watching'; readonly directories: number; readonly lastFailure: string | null }
  | {
      readonly kind: 'polling';
      /** The system's code for what it ran out of, `ENOSPC`. */
      readonly because: string;
      /** What went wrong in the last pass; null when it went well. */
      readonly lastFailure: string | null;
    };

/** When to look again: at once, soon (a file is in between two states), later, or not before a hint. */
export type NextLook = 'now' | 'soon' | 'later' | 'no';

/** What the loop drives. */
export interface Watched {
  /**
   * Reads what changed.
   *
   * @param dirty folders that the system named; null: any may have changed
   * @returns when another look is due without a hint
   */
  scan(dirty: ReadonlySet<string> | null): Promise<NextLook>;
  /** The directories whose entries matter now. */
  directories(): ReadonlySet<string>;
}

/**
 * Turns hints of the system into scans: after a quiet time, at the latest after 5 s, one at a time. A regular
 * pass finds what hints missed; it is all that is left when the system gives no watches.
 */
export class CatalogWatch {
  private readonly watcher: DirectoryWatcher;
  private quiet: NodeJS.Timeout | null = null;
  private due: NodeJS.Immediate | null = null;
  private poll: NodeJS.Timeout | null = null;
  private firstHintAt: number | null = null;
  private scanning: Promise<void> | null = null;
  /** Folders named by hints since the last scan; null when everything is to be looked at. */
  private dirty: Set<string> | null = null;
  private failure: string | null = null;
  private lastFailure: string | null = null;
  private running = false;

  constructor(
    private readonly options: SkillwrightOptions['watch'],
    private readonly target: Watched,
  ) {
    this.watcher = new DirectoryWatcher({
      onHint: (dir) => {
        this.dirty?.add(dir);
        this.hint();
      },
      onFailure: (because) => {
        this.failure = because;
      },
      isInteresting: (name) => name !== WORKSPACE_MARKER && isPartOfSkill(name),
    });
  }

  state(): WatchState {
    if (!this.running) return { kind: 'off' };
    const { lastFailure } = this;
    if (this.failure !== null) return { kind: 'polling', because: this.failure, lastFailure };
    return { kind: 'watching', directories: this.watcher.size, lastFailure };
  }

  async start(): Promise<void> {
    this.running = true;
    // What changed between the first scan and the watches went unseen.
    if ((await this.follow()) > 0) this.lookAtAll();
    this.poll = setInterval(() => {
      this.lookAtAll();
    }, this.options.pollMs).unref();
  }

  /** Something changed elsewhere: another process, the database. */
  nudge(): void {
    this.dirty = null;
    this.hint(0);
  }

  async stop(): Promise<void> {
    this.running = false;
    if (this.poll !== null) clearInterval(this.poll);
    this.unschedule();
    this.watcher.close();
    await this.scanning;
    this.watcher.close();
  }

  private lookAtAll(): void {
    this.dirty = null;
    this.hint();
  }

  private hint(quietMs = this.options.debounceMs): void {
    if (!this.running) return;
    const now = performance.now();
    this.firstHintAt ??= now;
    if (this.scanning !== null) return;
    const left = this.firstHintAt + MAX_WAIT_MS - now;
    // Overdue: what is scheduled stays, however many hints follow.
    if (left <= 0 && this.isScheduled()) return;
    this.unschedule();
    const wait = Math.max(0, Math.min(quietMs, left));
    this.quiet = setTimeout(() => {
      this.quiet = null;
      // After a busy turn the timer fires before the hints that came meanwhile: they are let in first.
      this.due = setImmediate(() => {
        this.beginScan();
      });
    }, wait).unref();
  }

  private isScheduled(): boolean {
    return this.quiet !== null || this.due !== null;
  }

  private unschedule(): void {
    if (this.quiet !== null) clearTimeout(this.quiet);
    if (this.due !== null) clearImmediate(this.due);
    this.quiet = null;
    this.due = null;
  }

  private beginScan(): void {
    this.unschedule();
    this.firstHintAt = null;
    this.scanning = this.scanOnce().finally(() => {
      this.scanning = null;
      // Hints that came meanwhile.
      if (this.firstHintAt !== null) this.hint();
    });
  }

  private async scanOnce(): Promise<void> {
    const dirty = this.dirty;
    this.dirty = new Set();
    let again: NextLook = 'soon';
    try {
      again = await this.target.scan(dirty);
      // What changed in a folder before it was watched went unseen.
      if ((await this.follow()) > 0) this.lookAtAll();
      this.lastFailure = null;
    } catch (error) {
      this.dirty = null;
      this.lastFailure = error instanceof Error ? error.message : String(error);
    }
    if (again === 'no' || !this.running) return;
    setTimeout(() => {
      this.hint(again === 'now' ? 0 : undefined);
    }, LOOK_AGAIN_MS[again]).unref();
  }

  private async follow(): Promise<number> {
    if (!this.running || this.failure !== null) return 0;
    return runSliced(this.watcher.follow(this.target.directories()));
  }
}
