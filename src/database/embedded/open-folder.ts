import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** Stands in the folder while it is made; whatever lies beside it was never used. */
const UNFINISHED = 'skillwright-unfinished';

/** Settings of the backend: small buffers, since the operating system's cache does the work. */
export const ENGINE_SETTINGS: readonly string[] = [
  'shared_buffers=16MB',
  'max_connections=10',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
].flatMap((setting) => ['-c', setting]);

/**
 * Opens the database's files in `dir`. A folder that is not there is made from the template, a compressed
 * archive; one that a crash left half made is made again.
 */
export async function openFolder(dir: string, template: string): Promise<PGlite> {
  const startParams = [...PGlite.defaultStartParams, ...ENGINE_SETTINGS];
  const unfinished = join(dir, UNFINISHED);
  if (existsSync(unfinished)) await rm(dir, { recursive: true });
  if (existsSync(join(dir, 'PG_VERSION'))) return PGlite.create(dir, { startParams });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(unfinished, '');
  const loadDataDir = new Blob([await readFile(template)]);
  const database = await PGlite.create(dir, { startParams, loadDataDir });
  await rm(unfinished);
  return database;
}
