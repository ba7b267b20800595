import { type Finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { runSliced } from '../../workspace/time-slices.js';
import { type FoundSkill } from '../discovery/found-skill.js';
import { type LocationScan } from '../discovery/location-scan.js';
import { type SkillLocation } from '../discovery/skill-entry.js';
import { type ItemKey, type SyncedItem } from '../store/workspace.store.js';
import { type FreshRead } from './disk-facts.service.js';
import { FolderWriter, type WriterParts } from './folder-writer.service.js';
import { type ActionParts, type Commit, type DiskCommit, SyncActions } from './sync-actions.service.js';
import { type ItemParts, type SyncItem, SyncItems } from './sync-items.service.js';
import { planSync, type SyncAction } from './sync-plan.js';

// So much is kept in memory before it is committed.
const BATCH_BYTES = 8_388_608;
const BATCH_SKILLS = 100;
const LEAST_BUDGET_MS = 200;
// Enough for a chain of actions on one skill; more means that somebody keeps changing it.
const MAX_STEPS = 6;

/** What a scan found, to be brought together with the catalogue. */
export interface SyncRequest {
  /** Every location of the profile, also those that do not exist. */
  readonly locations: readonly SkillLocation[];
  readonly scans: readonly LocationScan[];
  /** Directories in which something changed; null: everything is looked at. */
  readonly dirty: ReadonlySet<string> | null;
  /** After so many milliseconds of reading and committing the pass stops between two skills. */
  readonly budgetMs: number;
}

export interface SyncResult {
  /**
   * When another pass is due: there is more to do, a folder is in between two states, another process syncs the
   * workspace, or not before a change.
   */
  readonly again: 'now' | 'soon' | 'later' | 'no';
  /** Whether folders were written or removed, so that the scan it worked on is out of date. */
  readonly wrote: boolean;
}

export type SyncParts = ActionParts & ItemParts & WriterParts;

/** Brings folders and catalogue together, one skill after the other, each change committed by itself. */
export class SkillSync {
  private readonly items: SyncItems;
  private readonly actions: SyncActions;
  private readonly writer: FolderWriter;
  private readonly vanishedBecause = new Map<string, string>();
  private readonly accepted = new Set<string>();
  private again: SyncResult['again'] = 'no';
  private pending: DiskCommit[] = [];
  private pendingBytes = 0;
  private inStep: SyncedItem[] = [];
  private gone: ItemKey[] = [];
  private left = 0;
  private wrote = false;

  constructor(private readonly parts: SyncParts) {
    this.items = new SyncItems(parts);
    this.actions = new SyncActions(parts, parts.journal);
    this.writer = new FolderWriter(parts, this.items, this.actions);
  }

  /** Layers whose folder lost so much at once that nothing was deleted, and why it was thought so. */
  vanished(): ReadonlyMap<string, string> {
    return this.vanishedBecause;
  }

  /** What is to be said about folders that were written or could not be, by layer and slug (`placeKey`). */
  remarks(): ReadonlyMap<string, Finding> {
    return this.writer.remarks();
  }

  /** Lets the next pass take what is missing from a vanished layer for deleted by a person. */
  acceptLoss(layer: string): void {
    this.accepted.add(layer);
  }

  /** Lets the next pass write everything that is missing from a vanished layer. */
  async rebuild(layer: string): Promise<void> {
    await this.actions.note({ forget: this.items.missing(layer) });
  }

  /**
   * One pass. @returns when the next one is due
   *
   * @throws SkillwrightError `db_unavailable`, `storage_full`; what was committed before stays
   */
  async run(request: SyncRequest): Promise<SyncResult> {
    if (!(await this.parts.journal.lease())) return { again: 'later', wrote: false };
    this.again = 'no';
    this.wrote = false;
    this.pending = [];
    this.pendingBytes = 0;
    this.inStep = [];
    this.gone = [];
    this.left = request.budgetMs;
    for (const location of request.locations) {
      const scan = request.scans.find((one) => one.location.dir === location.dir);
      await this.syncLocation(location, scan, request.dirty);
    }
    return { again: this.again, wrote: this.wrote };
  }

  private async syncLocation(
    location: SkillLocation,
    scan: LocationScan | undefined,
    dirty: ReadonlySet<string> | null,
  ): Promise<void> {
    const items = this.items.of(location, scan);
    await runSliced(this.items.look(items, dirty));
    if (this.isVanished(location, scan, items)) return;
    const waiting = items.filter((item) => !this.items.isInStep(item));
    // What is known already first: an edit must not wait for thousands of new folders.
    const rank = (item: SyncItem): number => (this.items.storedOf(item) === undefined ? 1 : 0);
    const started = performance.now();
    for (const item of waiting.sort((a, b) => rank(a) - rank(b))) {
      if (performance.now() - started > this.left) {
        this.due('now');
        break;
      }
      await this.settle(item, scan?.realDir ?? location.dir);
      await this.flush(BATCH_BYTES, BATCH_SKILLS);
    }
    // Every location gets on by some skills in every pass, whatever the ones before it took.
    this.left = Math.max(LEAST_BUDGET_MS, this.left - (performance.now() - started));
    await this.flush(0, 0);
    const noted = { set: this.inStep.splice(0), forget: this.gone.splice(0) };
    if (noted.set.length + noted.forget.length > 0) await this.actions.note(noted);
  }

  private isVanished(
    location: SkillLocation,
    scan: LocationScan | undefined,
    items: readonly SyncItem[],
  ): boolean {
    const { layer } = location;
    const judged = this.items.judge(location, scan, items);
    if (judged.kind === 'ordinary' || this.accepted.delete(layer)) {
      this.vanishedBecause.delete(layer);
      return false;
    }
    this.vanishedBecause.set(layer, judged.because);
    this.due('soon');
    return true;
  }

  /** Plans and acts until the skill needs nothing more. */
  private async settle(item: SyncItem, root: string): Promise<void> {
    const { found } = item;
    if (found !== null && found.held !== null) {
      this.due('soon');
      return;
    }
    let fresh: FreshRead | null = null;
    for (let step = 0; step < MAX_STEPS; step++) {
      const usable = found !== null && found.entry.version > 0;
      const write = this.items.openWriteOf(item);
      if (usable && write === undefined && this.parts.facts.get(item.key) === undefined) {
        fresh = await this.read(item, found);
        if (fresh === null) return;
      }
      const action = planSync(this.items.factsOf(item));
      if (action.kind === 'commit') {
        if (found === null) return;
        fresh ??= await this.read(item, found);
        if (fresh !== null) this.queue(item, action, fresh);
        return;
      }
      if ((await this.act(item, action, root)) === 'done') return;
    }
    this.due('soon');
  }

  private async read({ key }: SyncItem, found: FoundSkill): Promise<FreshRead | null> {
    const read = await runSliced(this.parts.facts.read(key, found));
    if (typeof read !== 'string') return read;
    // Missing: the scan saw it, so it went in between; the next scan says so.
    this.due('soon');
    return null;
  }

  private queue(item: SyncItem, action: Commit, { fact, content }: FreshRead): void {
    if (content === null) return;
    // Read again since it was planned: the next pass plans anew.
    if (content.digest !== action.digest) {
      this.due('now');
      return;
    }
    const { place, location, slug } = item;
    const stored = this.items.storedOf(item);
    const { fingerprint } = fact;
    this.writer.forgetRemark(item.key);
    if (fingerprint === null) this.due('soon');
    if (action.thenRestore !== null) this.due('now');
    this.pending.push({ place, layer: location.layer, slug, stored, action, content, fingerprint });
    for (const bytes of content.bytes.values()) this.pendingBytes += bytes.length;
  }

  /** Commits what waits, when it is more than so much. */
  private async flush(bytes: number, skills: number): Promise<void> {
    if (this.pending.length === 0) return;
    if (this.pendingBytes <= bytes && this.pending.length <= skills) return;
    const commits = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    if ((await this.actions.commit(commits)) > 0) this.due('now');
    await this.parts.journal.lease();
  }

  /** @returns `done` when nothing more is to be planned for the skill now */
  private async act(
    item: SyncItem,
    action: Exclude<SyncAction, Commit>,
    root: string,
  ): Promise<'done' | 'more'> {
    const stored = this.items.storedOf(item);
    const fingerprint = this.parts.facts.get(item.key)?.fingerprint ?? null;
    switch (action.kind) {
      case 'none':
      case 'set_base':
        this.note(item, action.kind === 'none' ? undefined : action.digest);
        return 'done';
      case 'keep':
        return 'done';
      case 'wait':
        this.due('soon');
        return 'done';
      case 'revive_same':
        if (stored !== undefined) await this.actions.revive(item.place, stored, fingerprint);
        return 'done';
      case 'delete':
        if (stored !== undefined) await this.actions.delete(stored);
        return 'done';
      case 'disable':
        if (stored !== undefined) await this.actions.disable(stored);
        return 'done';
      case 'write':
        await this.actions.begin({ kind: 'skill', slug: item.slug, from: action.from, to: action.digest });
        return this.finish(item, root, action.finding);
      case 'remove':
        await this.actions.begin({ kind: 'skill', slug: item.slug, from: action.from, to: null });
        return this.finish(item, root, null);
      case 'finish_write':
        return this.finish(item, root, null);
    }
  }

  /** Folder and catalogue are in step; written down with others at the end of the location. */
  private note({ key, location: { layer }, slug, found }: SyncItem, digest: string | null | undefined): void {
    const fingerprint = this.parts.facts.get(key)?.fingerprint ?? null;
    const before = this.parts.journal.item('skill', layer, slug);
    const now = digest === undefined ? before?.digest : digest;
    // Young files could change again unseen: their folder is read once more.
    if (found !== null && fingerprint === null) this.due('soon');
    if (now === undefined || (now === before?.digest && fingerprint === before.fingerprint)) return;
    if (now === null) this.gone.push({ kind: 'skill', layer, slug });
    else this.inStep.push({ kind: 'skill', layer, slug, digest: now, fingerprint });
  }

  private async finish(item: SyncItem, root: string, remark: FindingCode | null): Promise<'done' | 'more'> {
    const next = await this.writer.goOn(item, root, remark);
    if (next.kind === 'replan') return 'more';
    this.wrote = true;
    this.parts.facts.forget(item.key);
    this.due(next.again);
    return 'done';
  }

  private due(when: SyncResult['again']): void {
    if (when === 'now' || this.again === 'no') this.again = when;
  }
}
