import { type FindingCode } from '../../kernel/finding-codes.js';
import { type SyncFacts } from './sync-plan.js';

/** Losing more than this many, and more than this share of all, at once is not the deleting of a skill. */
const LOST_COUNT = 5;
const LOST_SHARE = 0.2;

/** The folder in which the items lie. */
export interface RootFacts {
  /** Its identity (real path, device, inode as one text) at the last sync; null: never looked at. */
  readonly before: string | null;
  /** Null: there is no such folder. */
  readonly now: string | null;
  /** Nothing lies in it that could be a skill or hold one. */
  readonly empty: boolean;
}

export type Disappearance = { readonly because: string } & (
  { readonly kind: 'ordinary' } | { readonly kind: 'vanished'; readonly finding: FindingCode }
);

/** How many items of a root this workspace holds, and how many of them are not there, confirmed or not. */
export function countLost(items: Iterable<SyncFacts>): { known: number; absent: number } {
  let known = 0;
  let absent = 0;
  for (const { base, catalog, disk, intent } of items) {
    if (base === null || catalog === null || catalog.deleted) continue;
    known += 1;
    if (disk.kind === 'absent' && intent === null) absent += 1;
  }
  return { known, absent };
}

/**
 * Is what is missing from a root the work of a person who deletes skills, or is the root itself gone, exchanged or
 * emptied? Where it `vanished`, no absence counts: nothing is deleted, disabled or written until it is back or a
 * person decides.
 */
export function judgeDisappearance(facts: {
  readonly known: number;
  readonly absent: number;
  readonly root: RootFacts;
}): Disappearance {
  const { known, absent, root } = facts;
  const vanished = (because: string): Disappearance => ({
    kind: 'vanished',
    finding: 'location_vanished',
    because,
  });
  if (absent === 0) return { kind: 'ordinary', because: 'nothing is missing' };
  if (root.now === null) return vanished('the folder that holds the skills does not exist');
  if (root.before !== null && root.now !== root.before) {
    return vanished('another folder lies where the skills were, and it does not have them all');
  }
  if (root.empty && absent >= 2) return vanished(`the folder that held ${absent} skills is empty`);
  if (absent > LOST_COUNT && absent > known * LOST_SHARE) {
    return vanished(`${absent} of ${known} skills are missing at once`);
  }
  return { kind: 'ordinary', because: `${absent} of ${known} missing is what deleting looks like` };
}
