import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding, finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { runSliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type FolderLimits, readManifest } from '../discovery/skill-folder.service.js';
import { type OpenWrite } from '../store/workspace.store.js';
import { type DiskFacts } from './disk-facts.service.js';
import { type InterruptedWrite, judgeInterruptedWrite } from './interrupted-write.js';
import { type SyncActions } from './sync-actions.service.js';
import { type SyncItem, type SyncItems } from './sync-items.service.js';

const SHOWN_PATHS = 3;

interface Obstacle {
  readonly paths: readonly string[];
  readonly because: string;
}

export interface WriterParts {
  readonly files: WorkspaceFiles;
  readonly facts: DiskFacts;
  readonly limits: FolderLimits;
}

/** What became of a write: the skill is to be planned again at once, or looked at again later. */
export type WriteStep =
  { readonly kind: 'replan' } | { readonly kind: 'pause'; readonly again: 'now' | 'soon' };

const REPLAN: WriteStep = { kind: 'replan' };
const SOON: WriteStep = { kind: 'pause', again: 'soon' };

/** Carries open writes through, after whatever somebody else wrote there meanwhile is kept. */
export class FolderWriter {
  private readonly notes = new Map<string, Finding>();

  constructor(
    private readonly parts: WriterParts,
    private readonly items: SyncItems,
    private readonly actions: SyncActions,
  ) {}

  /** What is to be said about folders that were written or could not be, by layer and slug. */
  remarks(): ReadonlyMap<string, Finding> {
    return this.notes;
  }

  /** The folder holds something newer than what the remark is about. */
  forgetRemark(key: string): void {
    this.notes.delete(key);
  }

  /**
   * @param root the location, absolute and without links
   * @param remark what is to be said about the folder once it is written
   */
  async goOn(item: SyncItem, root: string, remark: FindingCode | null): Promise<WriteStep> {
    const write = this.items.openWriteOf(item);
    if (write === undefined) return REPLAN;
    const place = { root, folder: item.folder };
    const source = this.actions.source(place);
    const here = await runSliced(readManifest(this.parts.files, source, this.parts.limits));
    const judged = judgeInterruptedWrite(
      here.files,
      write.from === null ? null : await this.actions.manifest(write.from),
      write.to === null ? null : await this.actions.manifest(write.to),
    );
    if (judged.kind === 'keep_first') return this.keepFirst(item, write, judged);
    const outcome = await this.actions.write(place, write);
    if (outcome.kind === 'blocked') return this.block(item, outcome);
    if (remark === null) this.notes.delete(item.key);
    else this.notes.set(item.key, finding(remark, { path: shownFolder(item) }));
    return outcome.kind === 'changed' ? { kind: 'pause', again: 'now' } : SOON;
  }

  private block(item: SyncItem, { paths, because }: Obstacle): WriteStep {
    const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
    const found = `${paths.slice(0, SHOWN_PATHS).join(', ')}${more}`;
    this.notes.set(item.key, finding('sync_blocked', { path: shownFolder(item), found, hint: because }));
    return SOON;
  }

  private async keepFirst(
    item: SyncItem,
    write: OpenWrite,
    judged: Extract<InterruptedWrite, { kind: 'keep_first' }>,
  ): Promise<WriteStep> {
    const stored = this.items.storedOf(item);
    if (write.to === null || stored === undefined || stored.deleted) {
      // Nothing more is removed; what stands there is judged like any other edit.
      await this.actions.giveUp(write);
      return REPLAN;
    }
    const read =
      item.found === null ? 'missing' : await runSliced(this.parts.facts.read(item.key, item.found));
    if (read === 'unstable') return SOON;
    if (read === 'missing' || read.content === null) {
      const because = 'somebody wrote these, and what lies there cannot become a version: move them away';
      return this.block(item, { paths: judged.paths, because });
    }
    try {
      await this.actions.keepFirst(stored, read.content, write, judged.finding);
      return REPLAN;
    } catch (error) {
      if (SkillwrightError.is(error) && error.code === 'skill_changed') return SOON;
      throw error;
    }
  }
}

function shownFolder({ location, folder }: SyncItem): string {
  return `${location.shownAs}/${folder}`;
}
