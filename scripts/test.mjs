// `npm test [-- SUITE... JEST-ARGS]` runs jest. Suites: unit, contract, db, e2e, sandbox, bundled, package. Without one,
// all but `package`, which installs the packed package into other applications and so needs a package registry.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SUITES = ['unit', 'contract', 'db', 'e2e', 'sandbox', 'bundled', 'package'];
const args = process.argv.slice(2);
const named = args.filter((arg) => SUITES.includes(arg));
const suites = named.length > 0 ? named : SUITES.filter((suite) => suite !== 'package');
const rest = args.filter((arg) => !SUITES.includes(arg));
const runsTheBuild = suites.some((suite) => !['unit', 'sandbox', 'bundled'].includes(suite));

if (runsTheBuild && !existsSync('dist/main.js')) {
  console.error('dist/ is missing: run `npm run build` first (npm ci does it).');
  process.exit(1);
}
if (!process.env.TEST_DATABASE_URL && suites.includes('db')) {
  console.log('TEST_DATABASE_URL is not set: database and e2e suites run on the embedded database only.');
}
const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    // In this order: --selectProjects takes every word that follows it for a project.
    ...rest,
    '--selectProjects',
    ...suites,
  ],
  { stdio: 'inherit' },
);
process.exit(jest.status ?? 1);
