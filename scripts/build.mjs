// Builds dist: one CommonJS build, an ES-module wrapper per entry, and real sub-path folders for
// consumers whose `moduleResolution` does not read package.json "exports".
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
rmSync(join(root, 'node_modules/.cache/tsc/build.tsbuildinfo'), { force: true });
const tsc = spawnSync(
  process.execPath,
  [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const template = spawnSync(
  process.execPath,
  ['scripts/make-database-template.mjs', 'dist/database/embedded/template.tar.gz'],
  { cwd: root, stdio: 'inherit' },
);
if (template.status !== 0) process.exit(template.status ?? 1);

for (const entry of ['index', 'core', 'testing']) {
  if (!existsSync(join(dist, `${entry}.js`))) continue;
  // Named re-exports are read from the CommonJS file by node itself, so both module systems share one
  // instance of every class.
  const names = Object.keys(require(join(dist, `${entry}.js`))).sort();
  writeFileSync(
    join(dist, `${entry}.mjs`),
    `import api from './${entry}.js';\nexport const { ${names.join(', ')} } = api;\n`,
  );
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from './${entry}.js';\n`);
  if (entry === 'index') continue;
  mkdirSync(join(root, entry), { recursive: true });
  const pointer = {
    main: `../dist/${entry}.js`,
    module: `../dist/${entry}.mjs`,
    types: `../dist/${entry}.d.ts`,
  };
  writeFileSync(join(root, entry, 'package.json'), `${JSON.stringify(pointer, null, 2)}\n`);
}
if (existsSync(join(dist, 'cli.js'))) chmodSync(join(dist, 'cli.js'), 0o755);
