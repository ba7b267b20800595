import { join } from 'node:path';
import { SkillwrightError } from '../../kernel/errors.js';
import { errorCode } from '../../workspace/regular-file.adapter.js';
import { runSliced, type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import {
  copyActs,
  type CopyAct,
  type CopyFile,
  type CopyVerdict,
  foldersAbove,
  judgeAct,
} from './copy-acts.js';
import { CopyLook } from './copy-look.service.js';

export interface CopyRequest {
  /** What the folder held when the decision was made; null: nothing. */
  readonly from: readonly CopyFile[] | null;
  readonly to: readonly CopyFile[];
  /** Bytes by hex SHA-256. */
  readonly bytesOf: (sha256: string) => Promise<Buffer>;
}

export type CopyOutcome =
  | { readonly kind: 'done' }
  /** These hold something that neither version has: keep the folder as it is, then ask again with that as `from`. */
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  /** Something that no version can hold lies in the way, or the system refuses: a person has to look. */
  | { readonly kind: 'blocked'; readonly paths: readonly string[]; readonly because: string };

/** A group of skills that stays when its last skill is gone. */
const LASTING_GROUP = 'custom';
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS']);

interface Copy {
  readonly root: string;
  readonly folder: string;
  readonly look: CopyLook;
  readonly acts: readonly CopyAct[];
  /** Folders that the new version has. */
  readonly needed: ReadonlySet<string>;
  readonly bytesOf: CopyRequest['bytesOf'];
}

/**
 * Writes versions of skills into the folders of a workspace, file by file. Whatever was begun and not finished is
 * finished by asking for the same again. What belongs to neither version is never touched.
 */
export class WorkingCopy {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly limits: { readonly fileBytes: number },
    /** Called before each change on disk; a test stops the work there. */
    private readonly onStep: (step: string) => void = () => undefined,
  ) {}

  /**
   * Nothing is changed unless every place that would be holds one of the two versions; each is looked at again just
   * before its turn.
   *
   * @param root the folder of all skills, absolute
   * @param folder below it, in the on-disk spelling
   * @throws SkillwrightError `storage_full`, `path_invalid`
   */
  async write(root: string, folder: string, { from, to, bytesOf }: CopyRequest): Promise<CopyOutcome> {
    return this.carryOut(root, folder, { from: from ?? [], to, bytesOf });
  }

  /**
   * Removes the files of a version, its folders as far as nothing of others lies in them, and groups of skills that
   * became empty.
   *
   * @throws SkillwrightError `path_invalid`
   */
  async remove(root: string, folder: string, manifest: readonly CopyFile[]): Promise<CopyOutcome> {
    const bytesOf = (): Promise<Buffer> => Promise.reject(new TypeError('a removal writes nothing'));
    const outcome = await this.carryOut(root, folder, { from: manifest, to: [], bytesOf });
    if (outcome.kind !== 'done') return outcome;
    return this.guarded(folder, () => {
      for (const group of [folder, ...foldersAbove(folder)]) {
        this.onStep(`remove the folder ${group}`);
        if (group === LASTING_GROUP || !this.files.removeEmptyFolder(root, group)) break;
      }
      return outcome;
    });
  }

  private async carryOut(
    root: string,
    folder: string,
    request: CopyRequest & { readonly from: readonly CopyFile[] },
  ): Promise<CopyOutcome> {
    const dir = join(this.files.resolve(root)?.path ?? root, folder);
    const there = this.files.resolve(dir);
    if (there !== null && there.path !== dir) return blocked([folder], 'a folder on the way is a link');
    const look = new CopyLook(this.files, dir, this.limits.fileBytes);
    const { from, to, bytesOf } = request;
    const paths = [...from, ...to].map(({ path }) => path);
    const acts = copyActs(from, to, new Set(paths.filter((path) => look.isLink(path))));
    const needed = new Set(to.flatMap(({ path }) => foldersAbove(path)));
    const copy = { root, folder, look, acts, needed, bytesOf };
    const obstacle = await runSliced(this.lookAhead(copy));
    if (obstacle !== null) return obstacle;
    for (const act of acts) {
      const outcome = act.next === undefined ? this.delete(copy, act) : await this.put(copy, act, act.next);
      if (outcome.kind !== 'done') return outcome;
      // A flush takes its time; others get their turn in between.
      await new Promise((resume) => setImmediate(resume));
    }
    return this.guarded(folder, () => {
      this.files.removeTemporaries(root, folder);
      for (const parent of new Set(paths.flatMap(foldersAbove))) {
        if (look.at(parent).kind === 'folder') this.files.removeTemporaries(root, [folder, parent]);
      }
      return { kind: 'done' };
    });
  }

  /** Everything that stands against the whole, so that nothing is begun that cannot be ended. */
  private *lookAhead({ look, acts }: Copy): Sliced<CopyOutcome | null> {
    const verdicts: CopyVerdict[] = [];
    const leaving = new Set(acts.flatMap(({ path, next }) => (next === undefined ? [path] : [])));
    for (const act of acts) {
      const seen = look.at(act.path);
      if (act.next !== undefined && seen.kind === 'folder') {
        verdicts.push(...(yield* look.strangersIn(act.path, leaving)));
      } else if (seen.kind !== 'below_file' || !leaving.has(seen.path)) {
        verdicts.push(judgeAct(act, seen));
      }
      yield;
    }
    const changed = verdicts.flatMap((verdict) => (verdict.kind === 'changed' ? [verdict.path] : []));
    const against = verdicts.filter((verdict) => verdict.kind === 'blocked');
    if (against[0] !== undefined) return blocked(pathsOf(against), against[0].because);
    return changed.length === 0 ? null : { kind: 'changed', paths: [...new Set(changed)].sort() };
  }

  private async put(copy: Copy, act: CopyAct, next: CopyFile): Promise<CopyOutcome> {
    const { root, folder, look } = copy;
    const before = judgeAct(act, look.at(act.path));
    if (before.kind !== 'go') return outcomeOf(before);
    const bytes = await copy.bytesOf(next.sha256);
    return this.guarded(act.path, () => {
      let verdict: CopyVerdict = before;
      this.onStep(`write ${act.path}`);
      this.files.writeFileAtomic(root, [folder, act.path], bytes, {
        mode: next.mode,
        ifStill: () => {
          this.onStep(`put ${act.path} in its place`);
          verdict = judgeAct(act, look.at(act.path));
          return verdict.kind === 'go';
        },
      });
      return outcomeOf(verdict);
    });
  }

  private delete(copy: Copy, act: CopyAct): CopyOutcome {
    const { root, folder, look } = copy;
    return this.guarded(act.path, () => {
      let verdict = judgeAct(act, look.at(act.path));
      if (verdict.kind === 'nothing_to_do') {
        this.removeEmptied(copy, act.path);
        return { kind: 'done' };
      }
      this.onStep(`delete ${act.path}`);
      this.files.removeFile(root, [folder, act.path], {
        ifStill: () => {
          verdict = judgeAct(act, look.at(act.path));
          return verdict.kind === 'go';
        },
      });
      const outcome = outcomeOf(verdict);
      if (outcome.kind === 'done') this.removeEmptied(copy, act.path);
      return outcome;
    });
  }

  private removeEmptied({ root, folder, look, needed }: Copy, path: string): void {
    for (const parent of foldersAbove(path)) {
      if (needed.has(parent)) return;
      if (look.at(parent).kind !== 'folder') continue;
      this.onStep(`remove the folder ${parent}`);
      this.files.removeTemporaries(root, [folder, parent]);
      if (!this.files.removeEmptyFolder(root, [folder, parent])) return;
    }
  }

  /** What a person can set right is an outcome, not an error. */
  private guarded(path: string, act: () => CopyOutcome): CopyOutcome {
    try {
      return act();
    } catch (error) {
      if (SkillwrightError.is(error) && error.code === 'path_invalid') return blocked([path], error.message);
      const code = errorCode(error);
      if (REFUSALS.has(code)) return blocked([path], `the system says ${code}`);
      throw error;
    }
  }
}

function outcomeOf(verdict: CopyVerdict): CopyOutcome {
  switch (verdict.kind) {
    case 'go':
    case 'nothing_to_do':
      return { kind: 'done' };
    case 'changed':
      return { kind: 'changed', paths: [verdict.path] };
    case 'blocked':
      return blocked([verdict.path], verdict.because);
  }
}

function blocked(paths: readonly string[], because: string): CopyOutcome {
  return { kind: 'blocked', paths, because };
}

function pathsOf(verdicts: readonly (CopyVerdict & { readonly path: string })[]): readonly string[] {
  return verdicts.map(({ path }) => path);
}
