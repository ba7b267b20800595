import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding, finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { runSliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type FolderLimits, readManifest } from '../discovery/skill-folder.service.js';
import { type OpenWrite } from '../store/workspace.store.js';
import { type DiskFacts } from './disk-facts.service.js';
import { judgeInterruptedWrite } from './interrupted-write.js';
import { type SyncActions } from './sync-actions.service.js';
import { type SyncItem, type SyncItems } from './sync-items.service.js';

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
  private readonly problems = new Map<string, Finding>();

  constructor(
    private readonly parts: WriterParts,
    private readonly items: SyncItems,
    private readonly actions: SyncActions,
  ) {}

  /** Why folders could not be written, by layer and slug. */
  blocked(): ReadonlyMap<string, Finding> {
    return this.problems;
  }

  /** @param root the location, absolute and without links */
  async goOn(item: SyncItem, root: string): Promise<WriteStep> {
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
    if (judged.kind === 'keep_first') return this.keepFirst(item, write, judged.finding);
    const outcome = await this.actions.write(place, write);
    if (outcome.kind === 'blocked') {
      const path = `${item.location.shownAs}/${item.folder}`;
      const found = outcome.paths.join(', ');
      this.problems.set(item.key, finding('sync_blocked', { path, found, hint: outcome.because }));
      return SOON;
    }
    this.problems.delete(item.key);
    return outcome.kind === 'changed' ? { kind: 'pause', again: 'now' } : SOON;
  }

  private async keepFirst(item: SyncItem, write: OpenWrite, code: FindingCode): Promise<WriteStep> {
    const stored = this.items.storedOf(item);
    if (write.to === null || stored === undefined || stored.deleted) {
      // Nothing more is removed; what stands there is judged like any other edit.
      await this.actions.giveUp(write);
      return REPLAN;
    }
    const read =
      item.found === null ? 'missing' : await runSliced(this.parts.facts.read(item.key, item.found));
    if (typeof read === 'string' || read.content === null) return SOON;
    try {
      await this.actions.keepFirst(stored, read.content, write, code);
      return REPLAN;
    } catch (error) {
      if (SkillwrightError.is(error) && error.code === 'skill_changed') return SOON;
      throw error;
    }
  }
}
