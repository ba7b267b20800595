import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SkillwrightError } from '../kernel/errors.js';
import { errorCode } from './regular-file.adapter.js';

/**
 * Writes a file of any size: beside its place, flushed, then renamed over what is there. Readable by its owner alone.
 *
 * @param path named by a person
 * @throws SkillwrightError `path_invalid` when it cannot be written there, `storage_full`; what `bytes` throws
 */
export async function saveStream(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const target = resolve(path);
  const temporary = temporaryIn(dirname(target));
  try {
    await pipeline(
      Readable.from(bytes),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw translated(error, `${basename(target)} cannot be written`);
  }
}

/** Bytes on disk that belong to whoever reads them, and go with the last of them. */
export interface Spooled {
  readonly size: number;
  readonly stream: Readable;
}

/**
 * Takes in a stream at the speed of the disk, to be read at any other.
 *
 * @param dir absolute; made when it is missing
 * @throws SkillwrightError `path_invalid`, `storage_full`; what `bytes` throws
 */
export async function spool(dir: string, bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  const temporary = temporaryIn(dir);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await pipeline(Readable.from(bytes), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const file = await open(temporary, 'r');
    const { size } = await file.stat();
    return { size, stream: file.createReadStream() };
  } catch (error) {
    throw translated(error, 'the data folder cannot be written to');
  } finally {
    // An open file stays readable without its name, and nothing is left when the process dies.
    await rm(temporary, { force: true });
  }
}

/** @throws SkillwrightError `path_invalid`, while it is read */
export async function* readStream(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of createReadStream(resolve(path))) yield chunk as Uint8Array;
  } catch (error) {
    throw translated(error, `${basename(path)} cannot be read`);
  }
}

function temporaryIn(dir: string): string {
  return join(dir, `.skw-${randomBytes(8).toString('hex')}`);
}

function translated(error: unknown, what: string): unknown {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new SkillwrightError('storage_full', {}, { cause: error });
  const { syscall } = error as NodeJS.ErrnoException;
  if (code === '' || syscall === undefined) return error;
  return new SkillwrightError(
    'path_invalid',
    { detail: `${what}: the system says ${code}` },
    { cause: error },
  );
}
