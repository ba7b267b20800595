import { type Finding, finding, quoteFound } from '../../kernel/finding.js';
import { type FolderItem } from '../../workspace/file-facts.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { isPartOfSkill } from './not-part.js';

const MAX_DEPTH = 16;
// Ten times what a skill may have: beyond it lies something else.
const MAX_ITEMS = 20_000;
const ITEMS_A_STEP = 32;
const SHARED_AT = 'scripts/_shared';

/** Where a skill's files come from. */
export interface SkillSource {
  /** Absolute, without links. */
  readonly dir: string;
  /** Files shared by all bundled skills, delivered at `scripts/_shared`; null for other skills. */
  readonly sharedDir: string | null;
  /** Whether a file with a second hard link is accepted: only where nobody but the operator writes. */
  readonly trusted: boolean;
}

/** What is done with what a walk meets. */
export interface SkillVisitor {
  /** A folder, before it is listed. */
  enterFolder(dir: string): void;
  /**
   * Whatever is no folder, unopened.
   *
   * @param path in the skill
   * @param place absolute
   * @returns `stop` ends the walk
   */
  meet(item: FolderItem, path: string, place: string): 'kept' | 'left_out' | 'stop';
  remark(remark: Finding): void;
}

/**
 * Goes through everything that may be part of a skill, breadth first and by name, so that the same folder is met
 * in the same order each time. Links are met, not followed.
 */
export function* walkSkill(
  files: WorkspaceFiles,
  source: SkillSource,
  visitor: SkillVisitor,
): Sliced<undefined> {
  const walk = new SkillWalk(files, visitor);
  yield* walk.tree(source.dir, '');
  if (source.sharedDir !== null && walk.hasScripts) yield* walk.tree(source.sharedDir, SHARED_AT);
}

class SkillWalk {
  hasScripts = false;
  private met = 0;
  private ended = false;

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly visitor: SkillVisitor,
  ) {}

  *tree(top: string, prefix: string): Sliced<undefined> {
    const queue: { dir: string; path: string; depth: number }[] = [{ dir: top, path: prefix, depth: 1 }];
    for (const { dir, path, depth } of queue) {
      for (const item of this.listFolder(dir, path)) {
        if (this.ended) return;
        if (!isPartOfSkill(item.name)) continue;
        const below = path === '' ? item.name : `${path}/${item.name}`;
        const place = `${dir}/${item.name}`;
        if (++this.met > MAX_ITEMS) this.stopAt(below);
        else if (item.kind !== 'folder') this.meet(item, below, place);
        else if (depth < MAX_DEPTH) queue.push({ dir: place, path: below, depth: depth + 1 });
        else {
          const hint = `not deeper than ${MAX_DEPTH} folders`;
          this.visitor.remark(finding('walk_limit', { path: below, hint }));
        }
        if (this.met % ITEMS_A_STEP === 0) yield;
      }
      yield;
    }
  }

  private meet(item: FolderItem, path: string, place: string): void {
    const verdict = this.visitor.meet(item, path, place);
    if (verdict === 'stop') this.ended = true;
    if (verdict === 'kept' && path.startsWith('scripts/')) this.hasScripts = true;
  }

  private stopAt(path: string): void {
    this.ended = true;
    const hint = `at most ${MAX_ITEMS} files, folders and links`;
    this.visitor.remark(finding('skill_too_large', { path, hint }));
  }

  private listFolder(dir: string, path: string): readonly FolderItem[] {
    this.visitor.enterFolder(dir);
    const listing = this.files.list(dir);
    if (listing.kind === 'missing') return [];
    if (listing.kind === 'unreadable') {
      this.visitor.remark(finding('folder_unreadable', { path, hint: listing.because }));
      return [];
    }
    for (const name of listing.unreadableNames) {
      this.visitor.remark(finding('file_name_unreadable', { path, found: quoteFound(name) }));
    }
    return listing.items;
  }
}
