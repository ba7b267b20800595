// `npm run bench [-- NAME…]`: every row of bench/rows whose name begins with one of the given names. A row is
// { name, goal, prepare() -> { check, ours, yardstick, before?, after?, rounds? } }; times are milliseconds.
// A row of quality is { name, figures() }. `goal` is the highest ratio that is good, or { atLeast } for the lowest.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measure } from './measure.mjs';

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(here, '../dist/core.js'))) {
  console.error('dist/ is missing: run `npm run build` first (npm ci does it).');
  process.exit(1);
}
const wanted = process.argv.slice(2);
const rows = [];
for (const file of readdirSync(join(here, 'rows')).sort()) {
  const module = await import(pathToFileURL(join(here, 'rows', file)).href);
  rows.push(
    ...module.rows.filter(
      ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
    ),
  );
}
const results = [];
for (const row of rows) {
  if (row.figures !== undefined) {
    // How good an answer is, not how fast it comes.
    const figures = await row.figures();
    results.push({ name: row.name, figures });
    const cells = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
    console.log(`${row.name.padEnd(28)}  ${cells.join('  ')}`);
    continue;
  }
  const before = loadavg()[0];
  const result = await measure(row);
  const load = Math.max(before, loadavg()[0]);
  // The run itself is one unit of load.
  const noisy = load > cpus().length;
  const met = typeof row.goal === 'number' ? result.ratio <= row.goal : result.ratio >= row.goal.atLeast;
  results.push({ ...result, load, noisy, met });
  const cells = [
    result.name.padEnd(28),
    result.ours.toFixed(3),
    result.yardstick.toFixed(3),
    result.ratio.toFixed(3),
  ];
  console.log(`${cells.join('  ')}  ${met ? 'goal met' : 'goal missed'}${noisy ? ', noisy machine' : ''}`);
}
mkdirSync(join(here, 'results'), { recursive: true });
const stamp = new Date().toISOString().replace(/[:.]/g, '-');
const report = { at: new Date().toISOString(), node: process.version, cores: cpus().length, results };
writeFileSync(join(here, 'results', `${stamp}.json`), `${JSON.stringify(report, null, 2)}\n`);
