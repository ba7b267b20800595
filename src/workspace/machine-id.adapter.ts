import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './regular-file.adapter.js';

/**
 * Tells machines apart: hex, the same after every start. The system's own id is to stay in the machine, so this is a
 * hash of it that is good for nothing else.
 */
export function machineId(): string {
  return createHmac('sha256', systemId()).update('skillwright workspace').digest('hex').slice(0, 32);
}

function systemId(): string {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim();
    if (/^[0-9a-f]{32}$/.test(id)) return id;
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
  // In a container and on macOS there is no such file.
  return hostname();
}
