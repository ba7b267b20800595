import { type Touch, type OperationRule, type GuardOperation, OPERATIONS } from './access-rules.js';
import { type GuardGrants } from './guard-grants.js';
import { type GuardGround, type GuardRoots, placeGrants, type RefusedGrant } from './guard-roots.js';
import {
  type AllowedReason,
  type DeniedReason,
  judgePlace,
  type JudgedPlace,
  type PlaceVerdict,
} from './judge-place.js';
import { resolvePath, type ResolvedPath } from './resolve-path.js';

/** One thing that a tool wants to do. */
export interface AccessRequest {
  readonly operation: GuardOperation;
  /** Absolute, or relative to `cwd`. */
  readonly path: string;
  /** The second path of `rename`, `copy` and `hardlink`; of `symlink`, what the new link says. */
  readonly to?: string | undefined;
  /** Absolute, or relative to the workspace, which it is by default. */
  readonly cwd?: string | undefined;
}

/** Whether the operation may go on, and why. */
export interface AccessDecision {
  readonly allow: boolean;
  readonly because: {
    readonly kind: AllowedReason | DeniedReason;
    /** One sentence. */
    readonly text: string;
  };
  /** Where `path` really leads, relative to the workspace; as it was asked where it leads elsewhere. */
  readonly path: string;
  /** The same of `to`. */
  readonly to?: string;
  /** Grants that grant nothing. */
  readonly refused: readonly RefusedGrant[];
}

/**
 * Whether an operation may go on. Decides by the places that paths really lead to. Whatever is not understood is
 * denied: an unknown operation, a path that cannot be resolved, a ban that cannot be kept, a mistake of ours. It
 * never throws.
 *
 * A decision is about this moment: who opens the file afterwards must open first and judge the opened file, or leave
 * it to a sandbox.
 *
 * @example
 * decideAccess({ operation: 'write', path: 'skills/pdf/SKILL.md' }, { write_paths: ['skills'], skills: [pdf] }, ground)
 * // { allow: false, because: { kind: 'read_only', text: 'skills/pdf is a skill of the step, which is read-only' }, … }
 */
export function decideAccess(
  request: AccessRequest,
  grants: GuardGrants,
  ground: GuardGround,
): AccessDecision {
  try {
    const remembered = rememberLooks(ground);
    return decideAmong(request, placeGrants(grants, remembered), remembered);
  } catch (error) {
    const path: unknown = (request as Partial<AccessRequest> | null)?.path;
    return {
      allow: false,
      // Messages of the system name places of the host.
      because: {
        kind: 'error',
        text: `the guard failed (${error instanceof Error ? error.name : 'unknown'})`,
      },
      path: typeof path === 'string' ? path : '',
      refused: [],
    };
  }
}

/** The same over grants that stand at their places already. */
export function decideAmong(request: AccessRequest, placed: GuardRoots, ground: GuardGround): AccessDecision {
  const { refused, roots } = placed;
  const problem = requestProblem(request);
  const path = typeof request.path === 'string' ? request.path : '';
  const deny = (
    kind: DeniedReason,
    text: string,
    more: { path?: string; to?: string } = {},
  ): AccessDecision => ({
    allow: false,
    because: { kind, text },
    path,
    ...more,
    refused,
  });
  if (problem !== null) return deny('bad_request', problem);
  const ban = refused.find(({ list }) => list === 'blocked' || list === 'blocked_write');
  if (ban !== undefined) {
    return deny('bad_ban', `the entry "${ban.path}" of ${ban.list} cannot be kept: ${ban.because}`);
  }
  if (!roots.some(({ kind }) => kind === 'skill' || kind === 'read' || kind === 'write')) {
    return deny('no_grants', 'nothing is granted');
  }
  const rule: OperationRule = OPERATIONS[request.operation];
  const cwd = placeOf(request.cwd ?? '.', { from: ground.root, follows: true }, ground);
  if (cwd.kind === 'refused') return deny('unresolved', `the working folder: ${cwd.because}`);

  const first = judge(request.path, rule.path, cwd.path, { roots, ground });
  const shownPath = { path: shownPlace(first.place, request.path, ground) };
  if (first.verdict.kind === 'denied') return deny(first.verdict.reason, first.verdict.because, shownPath);
  if (rule.to === undefined || request.to === undefined) return allowed(first.verdict, shownPath, refused);

  const folder = first.place.path.slice(0, first.place.path.lastIndexOf('/')) || '/';
  const second = judge(request.to, rule.to, rule.toIsLinkText ? folder : cwd.path, { roots, ground });
  const shownBoth = { ...shownPath, to: shownPlace(second.place, request.to, ground) };
  if (second.verdict.kind === 'denied') {
    return deny(second.verdict.reason, `to: ${second.verdict.because}`, shownBoth);
  }
  return allowed(first.verdict, shownBoth, refused);
}

function allowed(
  { reason, because }: Extract<PlaceVerdict, { kind: 'allowed' }>,
  places: { readonly path: string; readonly to?: string },
  refused: readonly RefusedGrant[],
): AccessDecision {
  return { allow: true, because: { kind: reason, text: because }, ...places, refused };
}

interface Judged {
  readonly place: JudgedPlace;
  readonly verdict: PlaceVerdict;
}

function judge(
  text: string,
  touch: Touch,
  from: string,
  { roots, ground }: { roots: GuardRoots['roots']; ground: GuardGround },
): Judged {
  const place = placeOf(text, { from, follows: touch.follows }, ground);
  if (place.kind === 'ok') return { place, verdict: judgePlace(place, touch, { roots, ground }) };
  const verdict = { kind: 'denied', reason: 'unresolved', because: `the path: ${place.because}` } as const;
  return { place: { path: '', found: 'missing', names: 0 }, verdict };
}

function placeOf(
  text: string,
  { from, follows }: { readonly from: string; readonly follows: boolean },
  { look, root }: GuardGround,
): ResolvedPath {
  return resolvePath(text, { from, look, followLast: follows, root });
}

/** Types are checked here too: what asks may be a program that knows none. */
function requestProblem({ operation, path, to, cwd }: AccessRequest): string | null {
  if (typeof operation !== 'string' || !Object.hasOwn(OPERATIONS, operation))
    return 'the operation is not known';
  if (typeof path !== 'string') return 'path must be a text';
  if (cwd !== undefined && typeof cwd !== 'string') return 'cwd must be a text';
  if (to !== undefined && typeof to !== 'string') return 'to must be a text';
  const rule: OperationRule = OPERATIONS[operation];
  if (rule.to !== undefined && to === undefined) return `${operation} needs "to"`;
  return rule.to === undefined && to !== undefined ? `${operation} takes no "to"` : null;
}

function shownPlace({ path }: JudgedPlace, asked: string, { root }: GuardGround): string {
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : asked;
}

/** Within one decision every place is looked at once. */
function rememberLooks(ground: GuardGround): GuardGround {
  const seen = new Map<string, ReturnType<GuardGround['look']>>();
  return {
    ...ground,
    look: (path) => {
      let look = seen.get(path);
      if (look === undefined) seen.set(path, (look = ground.look(path)));
      return look;
    },
  };
}
