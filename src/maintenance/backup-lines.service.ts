import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { invalid } from './backup-format.js';

/** A stored file is the longest thing that stands in a line. */
const LONGEST_LINE = 268_435_456;
const NEWLINE = 0x0a;

/**
 * The lines of a compressed backup, without their ends.
 *
 * @throws SkillwrightError `backup_invalid` when the file is not compressed, damaged or cut off
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const text = createGunzip();
  const feeding = pipeline(Readable.from(bytes), text);
  // It also reaches the loop below.
  feeding.catch(() => undefined);
  let pending: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        pending.push(chunk.subarray(start, at));
        yield Buffer.concat(pending).toString('utf8');
        pending = [];
        length = 0;
        start = at + 1;
      }
      pending.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > LONGEST_LINE) throw invalid(`a line is longer than ${LONGEST_LINE} bytes`);
    }
  } catch (error) {
    throw zipProblem(error);
  }
  if (length > 0) throw invalid('it is cut off: its last line has no end');
}

function zipProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return invalid('it is cut off', error);
  if (code === 'Z_DATA_ERROR') return invalid('it is not a backup of Skillwright, or it is damaged', error);
  return error;
}
