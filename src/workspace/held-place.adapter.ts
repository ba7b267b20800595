import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { errorCode } from './regular-file.adapter.js';

/** Linux's flag for a descriptor that names a place without opening what lies there; Node does not name it. */
const O_PATH = 0o10000000;

/** A place that is held open, so that a swap afterwards changes nothing. */
export interface HeldPlace {
  readonly descriptor: number;
  close(): void;
}

/**
 * Holds a place that was judged before; null when something else lies there by now, or nothing. Linux only.
 *
 * @param path absolute, without links
 */
export function holdPlace(path: string): HeldPlace | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
  const held = {
    descriptor,
    close: () => {
      closeSync(descriptor);
    },
  };
  // A folder on the way may have become a link: then the opened place lies elsewhere.
  const same = readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  if (same && !fstatSync(descriptor).isSymbolicLink()) return held;
  held.close();
  return null;
}
