import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileRead, type FileRefusal, type FileStamp, refused } from './file-facts.js';
import { containsPath } from './paths.js';

export interface ReadRule {
  /**
   * Real paths; the opened file must lie in one of them. Null when the caller proves by other means that no
   * folder on the way was a link: asking the system for each file costs a quarter of reading its head.
   */
  readonly within: readonly string[] | null;
  /** A larger file is refused by its size, without a read. */
  readonly maxBytes: number;
  /**
   * Read only the start of the file, as much as fits, into this buffer: the bytes of the answer are a view
   * of it and last until it is used again. Without it the whole file is read into a buffer of its own.
   */
  readonly into?: Buffer;
  /** `follow` accepts a link at the end of the path, as long as its target lies within. */
  readonly links?: 'refuse' | 'follow';
  /** `refuse` where others can write: the second name may belong to a file that is none of theirs. */
  readonly hardLinks?: 'refuse' | 'accept';
}

/**
 * Opens first and judges what was opened, so that a swap in between changes nothing: a regular file inside
 * one of the roots. `O_NONBLOCK` keeps a pipe from blocking the process.
 */
export function readRegularFile(path: string, rule: ReadRule): FileRead {
  return withRegularFile(path, rule, (fd, stat) => {
    const bytes = rule.into ?? Buffer.allocUnsafe(stat.size);
    const length = fill(fd, bytes, stat.size);
    return { kind: 'ok', bytes: bytes.subarray(0, length), stamp: stampOf(stat), mode: modeOf(stat) };
  });
}

/** As {@link readRegularFile}, for work that reads piece by piece; the descriptor is closed afterwards. */
export function withRegularFile<T>(
  path: string,
  rule: ReadRule,
  use: (fd: number, stat: Stats) => T,
): T | FileRefusal {
  const flags =
    constants.O_RDONLY | constants.O_NONBLOCK | (rule.links === 'follow' ? 0 : constants.O_NOFOLLOW);
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    return refusalFromError(error);
  }
  try {
    const stat = fstatSync(fd);
    return judge(fd, path, stat, rule) ?? use(fd, stat);
  } catch (error) {
    return refusalFromError(error);
  } finally {
    closeSync(fd);
  }
}

export function stampOf(stat: Stats): FileStamp {
  return {
    dev: stat.dev,
    ino: stat.ino,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    ctimeMs: stat.ctimeMs,
  };
}

export function modeOf(stat: Stats): '0644' | '0755' {
  return (stat.mode & 0o111) === 0 ? '0644' : '0755';
}

function judge(fd: number, path: string, stat: Stats, rule: ReadRule): FileRefusal | null {
  if (!stat.isFile()) return refused('not_regular', stat.isDirectory() ? 'it is a folder' : 'it is a device');
  if (stat.size > rule.maxBytes) {
    return refused('too_large', `it has ${stat.size} bytes, more than ${rule.maxBytes}`);
  }
  if (rule.within !== null && !liesWithin(rule.within, realPathOf(fd, path))) {
    return refused('outside', 'its real place lies outside');
  }
  return rule.hardLinks === 'refuse' && stat.nlink > 1
    ? refused('hard_link', 'the file has a second name elsewhere (hard link)')
    : null;
}

function liesWithin(roots: readonly string[], real: string | null): boolean {
  return real !== null && roots.some((root) => containsPath(root, real));
}

/** Where the opened file really lies; null when that cannot be told. */
function realPathOf(fd: number, path: string): string | null {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${fd}`);
  const real = realpathSync.native(path);
  const opened = fstatSync(fd, { bigint: true });
  const found = statSync(real, { bigint: true });
  return found.ino === opened.ino && found.dev === opened.dev ? real : null;
}

function fill(fd: number, bytes: Buffer, size: number): number {
  const wanted = Math.min(bytes.length, size);
  let length = 0;
  while (length < wanted) {
    const read = readSync(fd, bytes, length, wanted - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

/** Node's code for a failed call, `ENOENT`; an empty text for anything else. */
export function errorCode(error: unknown): string {
  // By shape, not by class: under a test runner the error may come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

function refusalFromError(error: unknown): FileRefusal {
  const code = errorCode(error);
  switch (code) {
    case '':
      throw error;
    case 'ENOENT':
    case 'ENOTDIR':
      return refused('missing', 'it does not exist');
    case 'ELOOP':
    case 'EMLINK':
      return refused('link', 'it is a link');
    case 'ENXIO':
    case 'ENODEV':
      return refused('not_regular', 'it is a socket or device');
    default:
      return refused('unreadable', `the system says ${code}`);
  }
}
