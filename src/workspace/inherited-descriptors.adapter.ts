import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from './regular-file.adapter.js';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors besides the standard three that every program started from here would get, since whoever started this
 * process left them open. Linux only; empty elsewhere.
 */
export function inheritedDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && staysOpen(descriptor))
    .sort((a, b) => a - b);
}

function staysOpen(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    // The one by which the list was read is gone by now.
    if (errorCode(error) === '') throw error;
    return false;
  }
}
