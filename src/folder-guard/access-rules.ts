/** What an operation does with one of its paths. */
export interface Touch {
  readonly needs: 'read' | 'write';
  /** A link at the end is followed. */
  readonly follows: boolean;
  /** Bytes or rights of the file are changed, under all its names. */
  readonly altersFile?: true;
  /** The entry is made, removed or replaced, with all below it. */
  readonly altersEntry?: true;
  /** All below it is read as well. */
  readonly readsAll?: true;
}

export interface OperationRule {
  readonly path: Touch;
  /** Absent: the operation has one path. */
  readonly to?: Touch;
  /** What `to` of a symbolic link starts from is the folder of the link. */
  readonly toIsLinkText?: true;
}

const READS: Touch = { needs: 'read', follows: true };
const WRITES: Touch = { needs: 'write', follows: true, altersFile: true };
const CHANGES_ENTRY: Touch = { needs: 'write', follows: false, altersEntry: true };

/** Every operation that the guard knows; any other is denied. */
export const OPERATIONS = {
  read: { path: READS },
  list: { path: READS },
  stat: { path: READS },
  exec: { path: READS },
  write: { path: WRITES },
  append: { path: WRITES },
  mkdir: { path: { needs: 'write', follows: false } },
  delete: { path: CHANGES_ENTRY },
  rename: { path: CHANGES_ENTRY, to: CHANGES_ENTRY },
  copy: { path: { ...READS, readsAll: true }, to: WRITES },
  chmod: { path: WRITES },
  /** `path` is the new link, `to` what it says. */
  symlink: { path: CHANGES_ENTRY, to: READS, toIsLinkText: true },
  /** One file under two names: whoever may write one may write both. */
  hardlink: { path: CHANGES_ENTRY, to: CHANGES_ENTRY },
} as const satisfies Record<string, OperationRule>;

export type GuardOperation = keyof typeof OPERATIONS;

export const GUARD_OPERATIONS = Object.keys(OPERATIONS) as readonly GuardOperation[];
