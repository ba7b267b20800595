import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../kernel/errors.js';
import { containsPath } from './paths.js';
import { errorCode } from './regular-file.adapter.js';

/** Temporary files of ours; every reader ignores them. */
const TEMPORARY_PREFIX = '.skw-';

/** Writes beside the target, flushes, renames over it. */
export function writeAtomically(root: string, segments: readonly string[], bytes: Uint8Array | string): void {
  inParent(root, segments, { create: true }, (parent, leaf) => {
    const temporary = join(parent, `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
    try {
      writeNew(temporary, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      renameSync(temporary, join(parent, leaf));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

export function makeFolder(root: string, segments: readonly string[]): void {
  inParent(root, segments, { create: true }, (parent, leaf) => {
    makeIfMissing(join(parent, leaf));
  });
}

export function removeItem(root: string, segments: readonly string[]): void {
  inParent(root, segments, { create: false }, (parent, leaf) => {
    rmSync(join(parent, leaf), { recursive: true, force: true });
  });
}

/**
 * Runs the action on the parent folder, held open, so that swapping a folder on the way for a link
 * between check and use leads nowhere. On Linux the parent is addressed by its descriptor.
 */
function inParent(
  root: string,
  segments: readonly string[],
  options: { create: boolean },
  act: (parent: string, leaf: string) => void,
): void {
  const leaf = segments.at(-1);
  if (leaf === undefined) return;
  try {
    const real = realRoot(root, options.create);
    if (real === null) return;
    let parent = real;
    for (const segment of segments.slice(0, -1)) {
      parent = join(parent, segment);
      if (options.create) makeIfMissing(parent);
    }
    const fd = openSync(parent, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const opened =
        process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(parent);
      if (opened !== parent || !containsPath(real, opened)) throw linkOnTheWay();
      act(process.platform === 'linux' ? `/proc/self/fd/${fd}` : parent, leaf);
      if (options.create) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    translate(error, options);
  }
}

function realRoot(root: string, create: boolean): string | null {
  if (create) mkdirSync(root, { recursive: true });
  try {
    return realpathSync.native(root);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, 0o644);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function linkOnTheWay(): SkillwrightError {
  return new SkillwrightError('path_invalid', { detail: 'a folder on the way is a link' });
}

function translate(error: unknown, options: { create: boolean }): void {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      throw new SkillwrightError('storage_full', {}, { cause: error });
    case 'ELOOP':
      throw linkOnTheWay();
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENOTEMPTY':
      throw new SkillwrightError(
        'path_invalid',
        { detail: 'a file lies where a folder is needed, or the other way round' },
        { cause: error },
      );
    case 'ENOENT':
      if (!options.create) return;
      throw error;
    default:
      throw error;
  }
}
