import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type PathLook } from './path-look.js';
import { errorCode } from './regular-file.adapter.js';

/** Asks the disk what lies at a path. */
export function lookAtPath(path: string): PathLook {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'missing' };
    if (stat.isDirectory()) return { kind: 'folder' };
    if (stat.isFile()) return { kind: 'file', names: stat.nlink };
    return stat.isSymbolicLink() ? { kind: 'link', target: readlinkSync(path) } : { kind: 'other' };
  } catch (error) {
    const code = errorCode(error);
    if (code === '') throw error;
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unknown', because: `the system says ${code}` };
  }
}

/** A folder's place without links; the path itself where there is none yet. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return path;
  }
}
