/**
 * What must be equal for a file or folder to count as unchanged. Times are milliseconds since the epoch with their
 * fraction. Numbers, because bigints cost more than the call that asks for them, and exact enough: a double keeps a
 * quarter of a microsecond of a time of today, less than two writes are apart, and `isSettled` trusts no stamp that
 * is younger than seconds; sizes stay exact to 2^53 bytes; where a file system numbers its files beyond that,
 * neighbors may share a number here, but they do not share both times, of which no tool can set the second.
 */
export interface FileStamp {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** Also moves when a tool puts the old modification time back. */
  readonly ctimeMs: number;
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return (
    a.mtimeMs === b.mtimeMs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.ctimeMs === b.ctimeMs &&
    a.dev === b.dev
  );
}

// The coarsest clock of a file system in use (FAT).
const CLOCK_STEP_MS = 2000;

/**
 * Whether a stamp can vouch for the bytes read at `readAt` (milliseconds since the epoch): a second write
 * within one step of the file system's clock leaves the stamp as it is.
 */
export function isSettled(stamp: FileStamp, readAt: number): boolean {
  return readAt - stamp.mtimeMs > CLOCK_STEP_MS;
}

/**
 * As {@link isSettled}, by the time that no tool can set: whatever changes a file after `at` gives it another stamp.
 * A file that was just copied with an old modification time is not settled.
 */
export function isUndisturbed(stamp: FileStamp, at: number): boolean {
  return at - stamp.ctimeMs > CLOCK_STEP_MS;
}

export type ItemKind = 'file' | 'folder' | 'link' | 'other';

/** An item as the system describes it, unopened. */
export interface ItemFacts extends FileStamp {
  readonly kind: ItemKind;
  readonly mode: '0644' | '0755';
}

export interface FolderItem {
  readonly name: string;
  readonly kind: ItemKind;
}

/** The names in one folder, sorted by UTF-16 code units, or why there are none. */
export type FolderListing =
  | {
      readonly kind: 'ok';
      readonly items: readonly FolderItem[];
      /** Names that are not valid UTF-8, with `\xNN` for each wrong byte; nothing can be opened by them. */
      readonly unreadableNames: readonly string[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly because: string };

export type RefusalReason =
  'missing' | 'link' | 'not_regular' | 'hard_link' | 'outside' | 'too_large' | 'unreadable';

export interface FileRefusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** One clause without a host path: "it is a folder". */
  readonly because: string;
}

/** Bytes of a regular file, or why there are none. */
export type FileRead =
  | {
      readonly kind: 'ok';
      readonly bytes: Buffer;
      /** Of the opened file, so it belongs to these bytes. */
      readonly stamp: FileStamp;
      readonly mode: '0644' | '0755';
    }
  | FileRefusal;

export function refused(reason: RefusalReason, because: string): FileRefusal {
  return { kind: 'refused', reason, because };
}
