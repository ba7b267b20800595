import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type EmbeddedEngine } from '../../src/database/embedded/engine.js';
import { ENGINE_SETTINGS, runFrames } from '../../src/database/embedded/run-frames.js';

const CACHE = join(process.cwd(), 'node_modules/.cache/skillwright');
const startParams = [...PGlite.defaultStartParams, ...ENGINE_SETTINGS];

/** The embedded database in the test's own thread and in memory: quicker to open than a thread with files. */
export async function openInThreadEngine(): Promise<EmbeddedEngine> {
  const database = await PGlite.create({ startParams, loadDataDir: await template() });
  return {
    exec: (frames) => runFrames(database, frames),
    close: () => database.close(),
    terminate: () => database.close(),
  };
}

/** A freshly made data folder, made once for all test files and runs. */
async function template(): Promise<Blob> {
  const path = join(CACHE, 'pglite-0.5.14.tar');
  const bytes = await readFile(path).catch(() => null);
  if (bytes !== null) return new Blob([bytes]);
  const fresh = await PGlite.create({ startParams });
  const dump = await fresh.dumpDataDir('none');
  await fresh.close();
  await mkdir(CACHE, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, path);
  return dump;
}
