import { type LookAt } from '../workspace/path-look.js';
import { containsPath } from '../workspace/paths.js';
import { grantProblem, type GuardGrants, type SkillFolder } from './guard-grants.js';
import { resolvePath } from './resolve-path.js';

/** The tree that is guarded. */
export interface GuardGround {
  /** The workspace: absolute, without links. */
  readonly root: string;
  readonly look: LookAt;
  /** Real folders outside the workspace in which skills may lie. */
  readonly skillPlaces?: readonly string[];
  /** The file system takes `Notes` and `notes` for one name. */
  readonly foldsNames?: boolean;
}

export type RootKind = 'skill' | 'read' | 'write' | 'blocked' | 'blocked_write';

/** One grant or ban, at its real place. */
export interface GuardRoot {
  readonly kind: RootKind;
  /** As it was given. */
  readonly given: string;
  /** Absolute, without links. */
  readonly path: string;
  /** The place that was named, when a link lies there; else equal to `path`. */
  readonly entry: string;
  readonly found: 'missing' | 'folder' | 'file';
  readonly links: readonly { readonly at: string; readonly target: string }[];
  readonly skill: SkillFolder | null;
}

/** A grant that grants nothing, or a ban that cannot be kept. */
export interface RefusedGrant {
  readonly list: 'skills' | 'read_paths' | 'write_paths' | 'blocked' | 'blocked_write';
  readonly path: string;
  readonly because: string;
}

export interface GuardRoots {
  readonly roots: readonly GuardRoot[];
  readonly refused: readonly RefusedGrant[];
}

/** Bans first, then what is granted. */
const LISTS = [
  ['blocked', 'blocked'],
  ['blocked_write', 'blocked_write'],
  ['read_paths', 'read'],
  ['write_paths', 'write'],
] as const;

/**
 * Puts grants at their real places. A grant that is empty, leads out of the workspace or is the workspace itself
 * grants nothing and is reported; it never widens what the others grant.
 */
export function placeGrants(grants: GuardGrants, ground: GuardGround): GuardRoots {
  const roots: GuardRoot[] = [];
  const refused: RefusedGrant[] = [];
  const add = (
    list: RefusedGrant['list'],
    kind: RootKind,
    given: unknown,
    skill: SkillFolder | null,
  ): void => {
    const placed = place(kind, given, ground, skill);
    if ('because' in placed) refused.push({ list, path: shown(given), because: placed.because });
    else if (!roots.some((root) => sameRoot(root, placed))) roots.push(placed);
  };
  for (const skill of grants.skills ?? []) add('skills', 'skill', skill.target, skill);
  for (const [list, kind] of LISTS) for (const given of grants[list] ?? []) add(list, kind, given, null);
  const firm = roots.filter((root) => {
    const because = changeableProblem(root, roots);
    if (because !== null) refused.push({ list: listOf(root.kind), path: root.given, because });
    return because === null;
  });
  return { roots: firm, refused };
}

/** A link that the step can turn elsewhere would let it choose what it is granted. */
function changeableProblem({ links }: GuardRoot, roots: readonly GuardRoot[]): string | null {
  const writable = roots.find(
    ({ kind, path }) => kind === 'write' && links.some(({ at }) => containsPath(path, at)),
  );
  return writable === undefined ? null : `it leads over a link in ${writable.given}, which may be written`;
}

function listOf(kind: RootKind): RefusedGrant['list'] {
  if (kind === 'skill') return 'skills';
  return LISTS.find((row) => row[1] === kind)?.[0] ?? 'blocked';
}

/** As for {@link containsPath}, in a file system that may fold names. */
export function holds(outer: string, inner: string, { foldsNames }: GuardGround): boolean {
  return foldsNames === true ? containsPath(fold(outer), fold(inner)) : containsPath(outer, inner);
}

function place(
  kind: RootKind,
  given: unknown,
  ground: GuardGround,
  skill: SkillFolder | null,
): GuardRoot | { readonly because: string } {
  const problem = grantProblem(given);
  if (problem !== null) return { because: problem };
  const text = String(given);
  const rules = { from: ground.root, look: ground.look, root: ground.root };
  // A slash at the end would follow the link whose own place is asked for.
  const entry = resolvePath(text.replace(/\/+$/, ''), { ...rules, followLast: false });
  const real = resolvePath(text, { ...rules, followLast: true });
  if (entry.kind === 'refused') return entry;
  if (real.kind === 'refused') return real;
  const { found, path, links } = real;
  if (found === 'other' || found === 'link') return { because: 'it is no file and no folder' };
  const outside = outsideProblem(path, kind, ground);
  return outside === null
    ? { kind, given: text, path, entry: entry.path, found, links, skill }
    : { because: outside };
}

function outsideProblem(path: string, kind: RootKind, ground: GuardGround): string | null {
  // A ban may be as wide as it likes.
  if (kind === 'blocked' || kind === 'blocked_write') return null;
  if (path === ground.root) return 'it is the whole workspace; name folders in it';
  if (containsPath(ground.root, path)) return null;
  const places = kind === 'skill' ? (ground.skillPlaces ?? []) : [];
  if (places.some((one) => one !== path && containsPath(one, path))) return null;
  return 'it lies outside the workspace';
}

function sameRoot(a: GuardRoot, b: GuardRoot): boolean {
  return a.kind === b.kind && a.path === b.path && a.entry === b.entry;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function shown(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? null);
}
