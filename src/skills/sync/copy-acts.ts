import { skillFileAmong } from '../discovery/not-part.js';
import { type SkillFile } from '../discovery/skill-entry.js';

/** What a stored version knows of a file. */
export type CopyFile = Pick<SkillFile, 'path' | 'mode' | 'size' | 'sha256'>;

/** One change of one file. */
export interface CopyAct {
  readonly path: string;
  /** What the path held when the decision was made. */
  readonly was: CopyFile | undefined;
  /** What it is to hold; undefined: nothing. */
  readonly next: CopyFile | undefined;
}

/** What lies at a path of a skill's folder now. */
export type Look =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly sha256: string;
      readonly mode: CopyFile['mode'];
      readonly isLink: boolean;
    }
  | { readonly kind: 'folder' }
  /** A file lies where a folder on the way is needed. */
  | { readonly kind: 'below_file'; readonly path: string }
  /** Something that no version of a skill can hold. */
  | { readonly kind: 'foreign'; readonly because: string };

export type CopyVerdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'nothing_to_do' }
  | { readonly kind: 'changed'; readonly path: string }
  | { readonly kind: 'blocked'; readonly path: string; readonly because: string };

/**
 * What has to be done to get from one version to another, in an order in which no act stands in the way of a later
 * one and SKILL.md comes last, so that a reader who finds it finds the rest.
 *
 * @param links paths that are links now: they get bytes of their own before their targets change
 */
export function copyActs(
  from: readonly CopyFile[],
  to: readonly CopyFile[],
  links: ReadonlySet<string>,
): readonly CopyAct[] {
  const was = new Map(from.map((file) => [file.path, file]));
  const next = new Map(to.map((file) => [file.path, file]));
  const paths = [...new Set([...was.keys(), ...next.keys()])];
  const acts = paths.map((path) => ({ path, was: was.get(path), next: next.get(path) }));
  if (acts.every(isNoChange)) return [];
  const rank = rankOf(was, next, links);
  return acts
    .filter((act) => !isNoChange(act) || links.has(act.path))
    .sort((a, b) => rank(a) - rank(b) || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Whether what lies there now is known, so that the act loses nothing. */
export function judgeAct({ path, was, next }: CopyAct, look: Look): CopyVerdict {
  if (look.kind === 'file') {
    const isDone = holds(look, next);
    // A link holds what its target holds, and only for now.
    if (isDone && !look.isLink) return { kind: 'nothing_to_do' };
    return isDone || holds(look, was) ? { kind: 'go' } : { kind: 'changed', path };
  }
  // Whatever took the place of a file that was to go is not ours.
  if (next === undefined) return { kind: 'nothing_to_do' };
  switch (look.kind) {
    case 'absent':
      return was === undefined ? { kind: 'go' } : { kind: 'changed', path };
    case 'folder':
      return { kind: 'blocked', path, because: 'a folder lies where a file is needed' };
    case 'below_file':
      return { kind: 'changed', path: look.path };
    case 'foreign':
      return { kind: 'blocked', path, because: look.because };
  }
}

/** Every folder above a path, nearest first, without the skill's own. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, segments.length - 1 - at).join('/'));
}

function rankOf(
  was: ReadonlyMap<string, CopyFile>,
  next: ReadonlyMap<string, CopyFile>,
  links: ReadonlySet<string>,
): (act: CopyAct) => number {
  const main = skillFileAmong([...next.keys()]) ?? skillFileAmong([...was.keys()]);
  const needed = new Set([...next.keys()].flatMap(foldersAbove));
  const isInTheWay = (path: string): boolean =>
    needed.has(path) || foldersAbove(path).some((folder) => next.has(folder));
  return ({ path, next: wanted }) => {
    if (links.has(path)) return 0;
    if (wanted === undefined && isInTheWay(path)) return 1;
    if (path === main) return 4;
    return wanted === undefined ? 3 : 2;
  };
}

function isNoChange({ was, next }: CopyAct): boolean {
  return was !== undefined && next !== undefined && was.sha256 === next.sha256 && was.mode === next.mode;
}

function holds(look: Look & { kind: 'file' }, file: CopyFile | undefined): boolean {
  return file !== undefined && look.sha256 === file.sha256 && look.mode === file.mode;
}
