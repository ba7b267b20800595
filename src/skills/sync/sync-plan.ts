import { type FindingCode } from '../../kernel/finding-codes.js';

/**
 * `working_copy`: written by people and by the sync. `mirror` and `bundle`: only read, rows follow the disk; what
 * leaves a mirror is deleted in the catalogue, what leaves a bundle is disabled.
 */
export type SyncPlace = 'working_copy' | 'mirror' | 'bundle';

/** Absence is confirmed when it was seen twice with a pause between; an editor that swaps a folder makes one gap. */
export type DiskState =
  | { readonly kind: 'present'; readonly digest: string }
  | { readonly kind: 'absent'; readonly confirmed: boolean }
  | { readonly kind: 'broken'; readonly because: string };

/** What is known of one item of one workspace. All digests are `sha256:` and cover the whole folder. */
export interface SyncFacts {
  readonly place: SyncPlace;
  /** What this workspace held when it was last in step with the catalogue; null: it held nothing. */
  readonly base: string | null;
  /** The newest version, and whether the row is deleted; of a bundle: disabled because it left. Null: no row. */
  readonly catalog: { readonly digest: string; readonly deleted: boolean } | null;
  readonly disk: DiskState;
  /** A write of ours that was begun and is not known to be over. Only a working copy can have one. */
  readonly intent: { readonly from: string | null; readonly to: string | null } | null;
}

/**
 * One step towards folder and catalogue being equal; after it the facts are taken anew and planned again, until
 * `none`, `keep` or `wait`. Everything in one action but the writing of files is one transaction, which locks the
 * row, reads base, row and intent again and acts only if the plan is still the same.
 */
export type SyncAction = { readonly because: string } & (
  | { readonly kind: 'none' }
  | { readonly kind: 'set_base'; readonly digest: string | null }
  /**
   * The bytes that were read with this digest become a version, and the base. With `thenRestore` that
   * digest becomes one more version above it and the intent to write it is opened, in the same transaction.
   */
  | {
      readonly kind: 'commit';
      readonly digest: string;
      readonly finding: FindingCode | null;
      readonly revive: boolean;
      readonly thenRestore: string | null;
    }
  /** The row is no longer deleted, with the version it had; the base is its digest. */
  | { readonly kind: 'revive_same'; readonly digest: string }
  /** Open the intent `from` -> `digest`, then do as for `finish_write`. */
  | {
      readonly kind: 'write';
      readonly from: string | null;
      readonly digest: string;
      readonly finding: FindingCode | null;
    }
  /** Open the intent `from` -> nothing, then do as for `finish_write`. */
  | { readonly kind: 'remove'; readonly from: string }
  /** Mark the row deleted and forget the base. */
  | { readonly kind: 'delete' }
  /** Disable the row because it left the bundle and forget the base. */
  | { readonly kind: 'disable'; readonly finding: FindingCode }
  | { readonly kind: 'keep'; readonly finding: FindingCode }
  | { readonly kind: 'wait' }
  /**
   * Judge what lies there (`judgeInterruptedWrite`), write file by file, and not over bytes that came after that;
   * then set the base to `to` and close the intent.
   */
  | { readonly kind: 'finish_write'; readonly from: string | null; readonly to: string | null }
);

/**
 * What a sync does next with one item. Nothing that lies on disk or in the catalogue is given up before it is in
 * the history, absence counts only when confirmed, and a place that is only read is never written.
 */
export function planSync(facts: SyncFacts): SyncAction {
  const { place, intent, disk } = facts;
  if (intent !== null && place === 'working_copy') {
    return {
      kind: 'finish_write',
      from: intent.from,
      to: intent.to,
      because:
        'a write of ours was begun here; until it is over the folder says nothing about what people want',
    };
  }
  switch (disk.kind) {
    case 'present':
      return planPresent(facts, disk.digest);
    case 'absent':
      return planAbsent(facts, disk.confirmed);
    case 'broken':
      return planBroken(facts, disk.because);
  }
}

function planPresent(facts: SyncFacts, digest: string): SyncAction {
  const { place, base, catalog } = facts;
  const commit = { kind: 'commit', digest, finding: null, revive: false, thenRestore: null } as const;
  if (catalog === null) return { ...commit, because: 'the catalogue does not know this folder yet' };
  if (catalog.deleted) return planReturned(facts, digest, catalog.digest);
  if (digest === catalog.digest) {
    return base === digest
      ? { kind: 'none', because: 'folder and catalogue are equal' }
      : { kind: 'set_base', digest, because: 'folder and catalogue became equal' };
  }
  if (base === catalog.digest) return { ...commit, because: 'the folder was changed since the last sync' };
  if (base === null) {
    return place === 'working_copy'
      ? {
          ...commit,
          finding: 'sync_no_base',
          thenRestore: catalog.digest,
          because: 'the folder was never synced and differs; it is kept below what the catalogue has',
        }
      : {
          ...commit,
          finding: 'sync_no_base',
          because: 'the folder was never synced and differs; the catalogue follows it',
        };
  }
  if (base !== digest) {
    return {
      ...commit,
      finding: 'sync_both_changed',
      because: 'folder and catalogue were both changed since the last sync',
    };
  }
  return place === 'working_copy'
    ? {
        kind: 'write',
        from: digest,
        digest: catalog.digest,
        finding: null,
        because: 'the catalogue was changed since the last sync, the folder was not',
      }
    : { kind: 'none', because: 'the catalogue follows the same place of another machine' };
}

/** A folder lies where the catalogue has a deleted row, or one that had left its bundle. */
function planReturned({ place, base }: SyncFacts, digest: string, last: string): SyncAction {
  if (place === 'working_copy' && base === digest) {
    return {
      kind: 'remove',
      from: digest,
      because: 'the skill was deleted and its folder is as it was at the last sync',
    };
  }
  if (place !== 'working_copy' && digest === last) {
    return { kind: 'revive_same', digest, because: 'the folder is there with the bytes of the last version' };
  }
  const edited = base !== null && base !== digest;
  return {
    kind: 'commit',
    digest,
    finding: edited ? 'sync_edited_after_delete' : null,
    revive: true,
    thenRestore: null,
    because: edited
      ? 'the skill was deleted while its folder was changed'
      : 'a folder lies at the address of a deleted skill',
  };
}

function planAbsent({ place, base, catalog }: SyncFacts, confirmed: boolean): SyncAction {
  const live = catalog !== null && !catalog.deleted;
  if (base === null) {
    if (!live) return { kind: 'none', because: 'there is neither a folder nor a live skill' };
    return place === 'working_copy'
      ? {
          kind: 'write',
          from: null,
          digest: catalog.digest,
          finding: null,
          because: 'this workspace has never held the skill',
        }
      : { kind: 'none', because: 'the skill is not one of this machine' };
  }
  if (!confirmed)
    return { kind: 'wait', because: 'the folder is missing, which counts when it is seen again' };
  if (!live) return { kind: 'set_base', digest: null, because: 'folder and skill are both gone' };
  if (place === 'bundle') {
    return { kind: 'disable', finding: 'bundle_left', because: 'the skill is no longer part of the bundle' };
  }
  if (place === 'working_copy' && base !== catalog.digest) {
    return {
      kind: 'write',
      from: null,
      digest: catalog.digest,
      finding: 'sync_deleted_while_changed',
      because: 'the folder was deleted while the catalogue was changed',
    };
  }
  return { kind: 'delete', because: 'the folder was deleted' };
}

/** Bytes that cannot be read cannot be kept, so they are not written over either. */
function planBroken({ catalog }: SyncFacts, reason: string): SyncAction {
  return catalog !== null && !catalog.deleted
    ? { kind: 'keep', finding: 'last_good_kept', because: `the folder cannot be used: ${reason}` }
    : { kind: 'wait', because: `the folder cannot be used and there is no version to go on with: ${reason}` };
}
