// `node scripts/make-database-template.mjs FILE`: a freshly made data folder of the embedded database, as a
// compressed archive. Unpacking it takes a fraction of the time that making one takes.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8'));
const cached = join(root, `node_modules/.cache/skillwright/pglite-${version}.tar.gz`);
const target = process.argv[2];

if (!existsSync(cached)) {
  const database = await PGlite.create();
  const dump = await database.dumpDataDir('gzip');
  await database.close();
  mkdirSync(dirname(cached), { recursive: true });
  const unfinished = `${cached}.${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, cached);
}
copyFileSync(cached, target);
