import { accessSync, constants, existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './regular-file.adapter.js';
import { type WatchAccess, type WriteAccess } from './write-access.js';

/** Asks the system; writes nothing. */
export function writeAccess(dir: string): WriteAccess {
  let nearest = dir;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return { kind: nearest === dir ? 'writable' : 'creatable' };
  } catch (error) {
    return { kind: 'refused', because: systemSays(error) };
  }
}

/** Watches each folder for a moment; those that do not exist are passed over. */
export function watchAccess(dirs: readonly string[]): WatchAccess {
  for (const dir of dirs.filter((one) => existsSync(one))) {
    try {
      watch(dir)
        .on('error', () => undefined)
        .close();
    } catch (error) {
      return { kind: 'fails', because: systemSays(error) };
    }
  }
  return { kind: 'works' };
}

function systemSays(error: unknown): string {
  const code = errorCode(error);
  if (code === '') throw error;
  return `the system says ${code}`;
}
