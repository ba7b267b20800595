import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../kernel/errors.js';
import {
  type FileRead,
  type FileStamp,
  type FolderItem,
  type FolderListing,
  type ItemFacts,
  type ItemKind,
  refused,
} from './file-facts.js';
import { splitRelativePath } from './paths.js';
import { errorCode, modeOf, readRegularFile, type ReadRule, stampOf } from './regular-file.adapter.js';
import {
  makeFolder,
  removeFile,
  removeIfEmpty,
  removeItem,
  removeTemporaries,
  writeAtomically,
  type WriteRule,
} from './rooted-write.adapter.js';

const REPLACEMENT = '\uFFFD';
const MISSING_IS_UNDEFINED = { throwIfNoEntry: false } as const;

/**
 * A relative path below a root. Parts are judged one by one and then joined: a folder that may be deep, and a path in
 * it that may be as deep again.
 */
export type Below = string | readonly string[];

/**
 * The one door to disk. Calls are synchronous: on small files that costs half of what `fs.promises` does;
 * longer work goes through `runSliced`. What is merely not there or not acceptable is a value, not an error.
 * Without Nest's decorator, which a class without dependencies does not need, so that the command line can read
 * folders without loading Nest.
 */
export class WorkspaceFiles {
  /** The names in a folder, sorted. A link to a folder is listed like the folder. */
  list(dir: string): FolderListing {
    let found: Dirent[];
    try {
      found = readdirSync(dir, { withFileTypes: true });
    } catch (error) {
      const code = errorCode(error);
      if (code === '') throw error;
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
      return { kind: 'unreadable', because: `the system says ${code}` };
    }
    const items: FolderItem[] = [];
    let suspicious = false;
    for (const dirent of found) {
      if (dirent.name.includes(REPLACEMENT)) suspicious = true;
      else items.push({ name: dirent.name, kind: kindOf(dirent) });
    }
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    if (!suspicious) return { kind: 'ok', items, unreadableNames: [] };
    return { kind: 'ok', ...this.listRaw(dir, items) };
  }

  /** Of the item itself, also when it is a link; null when there is none. */
  stamp(path: string): FileStamp | null {
    try {
      const stat = lstatSync(path, MISSING_IS_UNDEFINED);
      return stat === undefined ? null : stampOf(stat);
    } catch (error) {
      if (errorCode(error) === '') throw error;
      return null;
    }
  }

  /** All that can be told of the item itself without opening it; null when there is none. */
  facts(path: string): ItemFacts | null {
    try {
      const stat = lstatSync(path, MISSING_IS_UNDEFINED);
      return stat === undefined ? null : factsOf(stat);
    } catch (error) {
      if (errorCode(error) === '') throw error;
      return null;
    }
  }

  /** What the item itself is; null when there is none. */
  kind(path: string): ItemKind | null {
    try {
      const stat = lstatSync(path, MISSING_IS_UNDEFINED);
      return stat === undefined ? null : kindOf(stat);
    } catch (error) {
      if (errorCode(error) === '') throw error;
      return null;
    }
  }

  /** The place without links, and what lies there; null when a link points nowhere. */
  resolve(path: string): { readonly path: string; readonly kind: ItemKind } | null {
    try {
      const real = realpathSync.native(path);
      return { path: real, kind: kindOf(statSync(real)) };
    } catch (error) {
      if (errorCode(error) === '') throw error;
      return null;
    }
  }

  /** Reads a file whose path the caller put together itself; see {@link ReadRule}. */
  read(path: string, rule: ReadRule): FileRead {
    return readRegularFile(path, rule);
  }

  /**
   * Reads a file below a root by a relative path that came from outside. Links that stay inside the root
   * are followed on the way, never at the end.
   *
   * @throws SkillwrightError `path_invalid`
   * @example files.readFile(workspaceDir, 'workflows/demo/step_config.json', { maxBytes: 1_048_576 })
   */
  readFile(root: string, path: string, options: { readonly maxBytes: number }): FileRead {
    const real = this.resolve(root);
    const segments = safeSegments(path);
    if (real === null) return refused('missing', 'it does not exist');
    return readRegularFile(join(real.path, ...segments), { within: [real.path], ...options });
  }

  /** Whether anything lies at the path, a dangling link included. */
  exists(root: string, path: string): boolean {
    return this.kind(join(root, ...safeSegments(path))) !== null;
  }

  /**
   * Replaces or creates a file so that a reader sees the old bytes or the new ones; missing folders are
   * made.
   *
   * @returns whether it was written; see {@link WriteRule}
   * @throws SkillwrightError `path_invalid` (also when a folder on the way is a link), `storage_full`
   */
  writeFileAtomic(root: string, path: Below, bytes: Uint8Array | string, rule?: WriteRule): boolean {
    return writeAtomically(root, safeSegments(path), bytes, rule);
  }

  /** Makes the folder and what is missing above it. @throws SkillwrightError `path_invalid` */
  mkdir(root: string, path: string): void {
    makeFolder(root, safeSegments(path));
  }

  /** Removes a file, a link or a whole folder; nothing there is fine. @throws SkillwrightError `path_invalid` */
  remove(root: string, path: string): void {
    removeItem(root, safeSegments(path));
  }

  /** Removes one file or link, never a folder. @throws SkillwrightError `path_invalid` */
  removeFile(root: string, path: Below, rule?: Pick<WriteRule, 'ifStill'>): boolean {
    return removeFile(root, safeSegments(path), rule);
  }

  /**
   * Removes what writers that died left beside their targets.
   *
   * @param folder below the root; an empty list is the root itself
   * @param olderThanMs where others may be writing right now, the age from which it is not theirs
   * @throws SkillwrightError `path_invalid`
   */
  removeTemporaries(root: string, folder: Below, olderThanMs = 0): void {
    removeTemporaries(root, safeSegments(folder), olderThanMs);
  }

  /** @returns whether no such folder is left. @throws SkillwrightError `path_invalid` */
  removeEmptyFolder(root: string, path: Below): boolean {
    return removeIfEmpty(root, safeSegments(path));
  }

  /** Finds out which names are wrong UTF-8 and which merely hold the replacement character. */
  private listRaw(
    dir: string,
    readable: readonly FolderItem[],
  ): { items: readonly FolderItem[]; unreadableNames: readonly string[] } {
    const items = [...readable];
    const unreadableNames: string[] = [];
    for (const dirent of readdirSync(dir, { withFileTypes: true, encoding: 'buffer' })) {
      const raw = dirent.name as unknown as Buffer;
      const name = raw.toString('utf8');
      if (!name.includes(REPLACEMENT)) continue;
      if (Buffer.from(name).equals(raw)) items.push({ name, kind: kindOf(dirent) });
      else unreadableNames.push(escapeName(raw));
    }
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { items, unreadableNames: unreadableNames.sort() };
  }
}

function safeSegments(path: Below): readonly string[] {
  if (typeof path !== 'string') return path.flatMap(safeSegments);
  const check = splitRelativePath(path);
  if (check.kind === 'unsafe') {
    throw new SkillwrightError('path_invalid', { detail: `the path is not acceptable: ${check.because}` });
  }
  return check.segments;
}

// Written out: a spread costs as much as the call to the system, and this runs for every file of every skill.
function factsOf(stat: Stats): ItemFacts {
  return {
    dev: stat.dev,
    ino: stat.ino,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    ctimeMs: stat.ctimeMs,
    kind: kindOf(stat),
    mode: modeOf(stat),
  };
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): ItemKind {
  if (found.isDirectory()) return 'folder';
  if (found.isFile()) return 'file';
  return found.isSymbolicLink() ? 'link' : 'other';
}

function escapeName(raw: Buffer): string {
  return Array.from(raw, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
