import { dirname } from 'node:path/posix';
import { containsPath } from '../workspace/paths.js';
import { type GuardGround, type GuardRoot, type GuardRoots } from './guard-roots.js';
import { judgeAccess } from './judge-place.js';

/** One thing that a sandbox shows, or hides. Absolute paths. */
export interface SandboxMount {
  /** `hide` puts an empty folder or file in the place of what lies there. */
  readonly mode: 'read' | 'write' | 'hide';
  /** Of the bytes; null for what is hidden. */
  readonly source: string | null;
  readonly target: string;
  readonly found: 'folder' | 'file';
  /** `sha256:` of a skill's folder, where it is known. */
  readonly digest: string | null;
}

/** What a sandbox is made of, in the order in which it is mounted. */
export interface SandboxPlan {
  /** The workspace; in the sandbox it holds what is mounted and nothing else. */
  readonly root: string;
  readonly mounts: readonly SandboxMount[];
  readonly links: readonly { readonly at: string; readonly target: string }[];
  /** Folders to be made first, outermost first. */
  readonly makeFolders: readonly string[];
  /** Of these, the ones that only hold a place during the run; to be removed afterwards if they are empty. */
  readonly temporaryFolders: readonly string[];
}

/**
 * Turns grants into mounts, by the same decision as for single paths: an allow-list, so that whatever is not named is
 * not there. A folder between a writable one and a guarded place below it becomes a mount of its own, since only that
 * keeps it from being renamed.
 */
export function planSandbox({ roots }: GuardRoots, ground: GuardGround): SandboxPlan {
  const mounts: SandboxMount[] = [];
  const makeFolders = new Set<string>();
  const temporary = new Set<string>();
  for (const root of byDepth(roots)) {
    const above = deepestAbove(root.path, mounts);
    const mount = mountOf(root, above, { roots, ground });
    if (mount === null) continue;
    if (above?.mode === 'write') {
      for (const folder of between(above.target, root.path)) {
        if (mounts.some(({ target }) => target === folder)) continue;
        mounts.push({ mode: 'write', source: folder, target: folder, found: 'folder', digest: null });
        if (ground.look(folder).kind !== 'missing') continue;
        makeFolders.add(folder);
        temporary.add(folder);
      }
    }
    if (root.found === 'missing') {
      if (mount.mode === 'write') makeFolders.add(root.path);
      else if (above?.mode === 'write') {
        makeFolders.add(root.path);
        temporary.add(root.path);
      }
    }
    mounts.push(mount);
  }
  return {
    root: ground.root,
    mounts: mounts.sort((a, b) => a.target.length - b.target.length),
    links: linksOutside(roots, mounts, ground),
    makeFolders: [...makeFolders].sort((a, b) => a.length - b.length),
    temporaryFolders: [...temporary].sort((a, b) => a.length - b.length),
  };
}

interface Guarded {
  readonly roots: readonly GuardRoot[];
  readonly ground: GuardGround;
}

/** Null where the mount above shows the same already, or shows nothing. */
function mountOf(root: GuardRoot, above: SandboxMount | null, guarded: Guarded): SandboxMount | null {
  const mode = modeAt(root.path, guarded);
  const { path: target, found } = root;
  const source = root.skill?.source ?? null;
  const missing = found === 'missing' && source === null;
  const kind = found === 'file' ? 'file' : 'folder';
  if (mode === 'hide' || (mode === 'read' && missing)) {
    const shows = above !== null && above.mode !== 'hide';
    // What is missing cannot come to be where nothing can be written.
    if (!shows || (missing && above.mode !== 'write')) return null;
    return { mode: 'hide', source: null, target, found: kind, digest: null };
  }
  if (mode === 'read' && above?.mode === 'read' && source === null) return null;
  return { mode, source: source ?? target, target, found: kind, digest: root.skill?.digest ?? null };
}

function modeAt(path: string, guarded: Guarded): SandboxMount['mode'] {
  if (judgeAccess(path, 'write', guarded).kind === 'allowed') return 'write';
  return judgeAccess(path, 'read', guarded).kind === 'allowed' ? 'read' : 'hide';
}

/** Outer places first; for one place once, skills before others since they know where their bytes lie. */
function byDepth(roots: readonly GuardRoot[]): GuardRoot[] {
  const byPath = new Map<string, GuardRoot>();
  for (const root of roots) {
    if (!byPath.has(root.path) || root.kind === 'skill') byPath.set(root.path, root);
  }
  return [...byPath.values()].sort((a, b) => a.path.length - b.path.length);
}

function deepestAbove(path: string, mounts: readonly SandboxMount[]): SandboxMount | null {
  let deepest: SandboxMount | null = null;
  for (const mount of mounts) {
    if (mount.target === path || !containsPath(mount.target, path)) continue;
    if (deepest === null || mount.target.length > deepest.target.length) deepest = mount;
  }
  return deepest;
}

/** Folders below `outer` and above `inner`, outermost first. */
function between(outer: string, inner: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(inner); folder.length > outer.length; folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}

/** Links over which the step's paths lead and which no mount brings along. */
function linksOutside(
  roots: readonly GuardRoot[],
  mounts: readonly SandboxMount[],
  { root }: GuardGround,
): { at: string; target: string }[] {
  const links = new Map<string, string>();
  for (const { kind, links: followed } of roots) {
    if (kind === 'blocked' || kind === 'blocked_write') continue;
    for (const { at, target } of followed) {
      if (containsPath(root, at) && deepestAbove(at, mounts) === null) links.set(at, target);
    }
  }
  return Array.from(links, ([at, target]) => ({ at, target }));
}
