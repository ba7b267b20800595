import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../kernel/errors.js';
import { errorCode } from './regular-file.adapter.js';

/** Temporary files of ours; every reader ignores them. */
const TEMPORARY_PREFIX = '.skw-';
const TEMPORARY_NAME = /^\.skw-[0-9a-f]{16}$/;

export interface WriteRule {
  /** Without it 0644; less what the process's umask takes away. */
  readonly mode?: '0644' | '0755';
  /** Asked when the bytes are on disk, just before they take the place of what is there; false leaves that alone. */
  readonly ifStill?: () => boolean;
}

/**
 * Writes beside the target, flushes, renames over it.
 *
 * @returns whether it was written; false only when `ifStill` said no
 */
export function writeAtomically(
  root: string,
  segments: readonly string[],
  bytes: Uint8Array | string,
  rule: WriteRule = {},
): boolean {
  let written = false;
  inParent(root, segments, { create: true }, (parent, leaf) => {
    const temporary = join(parent, `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
    try {
      writeNew(temporary, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, rule.mode ?? '0644');
      if (rule.ifStill?.() !== false) {
        renameSync(temporary, join(parent, leaf));
        written = true;
      }
    } finally {
      if (!written) rmSync(temporary, { force: true });
    }
  });
  return written;
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

/** Removes one file or link, never a folder. @returns false when `ifStill` said no or a folder lies there */
export function removeFile(root: string, segments: readonly string[], rule: WriteRule = {}): boolean {
  let removed = true;
  inParent(root, segments, { create: false }, (parent, leaf) => {
    const path = join(parent, leaf);
    removed =
      rule.ifStill?.() !== false && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
    if (removed) rmSync(path, { force: true });
  });
  return removed;
}

/** Removes what writers that died left in a folder, where it is older than so many milliseconds. */
export function removeTemporaries(root: string, segments: readonly string[], olderThanMs: number): void {
  const before = Date.now() - olderThanMs;
  inParent(root, [...segments, TEMPORARY_PREFIX], { create: false }, (parent) => {
    for (const name of readdirSync(parent)) {
      if (!TEMPORARY_NAME.test(name)) continue;
      const path = join(parent, name);
      const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (olderThanMs === 0 || written < before) rmSync(path, { force: true });
    }
  });
}

/** @returns whether the folder is gone; false when something lies in it or it is none */
export function removeIfEmpty(root: string, segments: readonly string[]): boolean {
  let removed = true;
  inParent(root, segments, { create: false }, (parent, leaf) => {
    try {
      rmdirSync(join(parent, leaf));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
      removed = false;
    }
  });
  return removed;
}

/**
 * Runs the action on the parent folder, reached step by step and held open, so that a link on the way, also one
 * that is put there meanwhile, leads nowhere. On Linux each folder is addressed by its descriptor.
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
    const parent = openBelow(real, segments.slice(0, -1), options.create);
    try {
      act(parent.address, leaf);
      // A removal that a power cut undid would look like something new.
      fsyncSync(parent.fd);
    } finally {
      closeSync(parent.fd);
    }
  } catch (error) {
    translate(error, options);
  }
}

interface OpenFolder {
  readonly fd: number;
  readonly address: string;
}

function openBelow(real: string, segments: readonly string[], create: boolean): OpenFolder {
  let path = real;
  let folder = openFolder(real, real);
  for (const segment of segments) {
    path = join(path, segment);
    const { fd, address } = folder;
    try {
      if (create && makeIfMissing(join(address, segment))) fsyncSync(fd);
      folder = openFolder(join(address, segment), path);
    } finally {
      closeSync(fd);
    }
  }
  return folder;
}

/** @param path where the folder must lie when it is opened */
function openFolder(address: string, path: string): OpenFolder {
  const fd = openSync(address, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const isLinux = process.platform === 'linux';
  if ((isLinux ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path)) === path) {
    return { fd, address: isLinux ? `/proc/self/fd/${fd}` : path };
  }
  closeSync(fd);
  throw linkOnTheWay();
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

/** @returns whether it was made now */
function makeIfMissing(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

function writeNew(path: string, bytes: Uint8Array, mode: '0644' | '0755'): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, Number.parseInt(mode, 8));
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
