import { type Touch } from './access-rules.js';
import { containsPath } from '../workspace/paths.js';
import { type GuardGround, type GuardRoot, holds } from './guard-roots.js';

export type AllowedReason = 'skill' | 'read_grant' | 'write_grant';
export type DeniedReason =
  | 'bad_request'
  | 'bad_ban'
  | 'no_grants'
  | 'unresolved'
  | 'not_granted'
  | 'read_only'
  | 'blocked'
  | 'holds_root'
  | 'hard_link'
  | 'not_a_file'
  | 'error';

/** A resolved path and what lies there. */
export interface JudgedPlace {
  readonly path: string;
  readonly found: 'missing' | 'folder' | 'file' | 'link' | 'other';
  readonly names: number;
}

export type PlaceVerdict =
  | { readonly kind: 'allowed'; readonly reason: AllowedReason; readonly because: string }
  | { readonly kind: 'denied'; readonly reason: DeniedReason; readonly because: string };

interface Guarded {
  readonly roots: readonly GuardRoot[];
  readonly ground: GuardGround;
}

/** Whether one place may be touched this way. */
export function judgePlace(place: JudgedPlace, touch: Touch, guarded: Guarded): PlaceVerdict {
  const verdict = judgeAccess(place.path, touch.needs, guarded);
  return verdict.kind === 'denied' ? verdict : (obstacle(place, touch, guarded) ?? verdict);
}

/**
 * Whether a place may be read or written. Bans come first, then skills, which stay read-only in any writable folder;
 * of the other grants the deepest decides.
 */
export function judgeAccess(path: string, needs: 'read' | 'write', guarded: Guarded): PlaceVerdict {
  const { roots, ground } = guarded;
  const over = (kind: GuardRoot['kind']): GuardRoot | undefined =>
    roots.find(
      (root) => root.kind === kind && (holds(root.path, path, ground) || holds(root.entry, path, ground)),
    );
  const blocked = over('blocked');
  if (blocked !== undefined) return denied('blocked', `${blocked.given} is blocked`);
  const blockedWrite = needs === 'write' ? over('blocked_write') : undefined;
  if (blockedWrite !== undefined) return denied('blocked', `${blockedWrite.given} is blocked for writing`);
  const skill = over('skill');
  if (skill !== undefined) {
    if (needs === 'write')
      return denied('read_only', `${skill.given} is a skill of the step, which is read-only`);
    // The entry of a linked skill is protected; what the step may read lies where the link leads.
    if (containsPath(skill.path, path)) {
      return { kind: 'allowed', reason: 'skill', because: `${skill.given} is a skill of the step` };
    }
  }
  const grant = deepestGrant(path, guarded);
  if (grant === null) return denied('not_granted', 'no grant holds this place');
  if (grant.kind === 'write') {
    return { kind: 'allowed', reason: 'write_grant', because: `${grant.given} may be written` };
  }
  if (needs === 'write') return denied('read_only', `${grant.given} may only be read`);
  return { kind: 'allowed', reason: 'read_grant', because: `${grant.given} may be read` };
}

/** The longest grant decides; of two for one place, the one that allows more. */
function deepestGrant(path: string, { roots }: Guarded): GuardRoot | null {
  let deepest: GuardRoot | null = null;
  for (const root of roots) {
    if (root.kind !== 'read' && root.kind !== 'write') continue;
    // Names are not folded here: a grant must never hold more than it names.
    if (!containsPath(root.path, path)) continue;
    const longer = deepest === null || root.path.length > deepest.path.length;
    if (longer || (root.path === deepest?.path && root.kind === 'write')) deepest = root;
  }
  return deepest;
}

/** What stands against an operation on a place that may be touched. */
function obstacle(place: JudgedPlace, touch: Touch, { roots, ground }: Guarded): PlaceVerdict | null {
  const { path, found, names } = place;
  const below = roots.find(
    ({ path: root, entry }) => isAbove(path, root, ground) || isAbove(path, entry, ground),
  );
  const itself = roots.find((root) => root.path === path || root.entry === path);
  if (touch.readsAll === true) {
    const ban = roots.find((root) => root.kind === 'blocked' && isAbove(path, root.path, ground));
    if (ban !== undefined) return denied('blocked', `${ban.given} lies below, and it is blocked`);
  }
  if ((touch.altersEntry === true || touch.altersFile === true) && below !== undefined) {
    return denied('holds_root', `${below.given} lies below, and its place is guarded`);
  }
  if (touch.altersEntry === true && itself !== undefined) {
    return denied('holds_root', `${itself.given} is itself the place of a grant`);
  }
  if (touch.altersFile === true && found === 'file' && names > 1) {
    return denied(
      'hard_link',
      'the file has a second name elsewhere (hard link), which would change with it',
    );
  }
  if (found === 'other' && touch.altersEntry !== true) {
    return denied('not_a_file', 'it is a pipe, socket or device');
  }
  return null;
}

/** Strictly above. */
function isAbove(path: string, root: string, ground: GuardGround): boolean {
  return path !== root && holds(path, root, ground);
}

function denied(reason: DeniedReason, because: string): PlaceVerdict {
  return { kind: 'denied', reason, because };
}
