// P7, P9, P10, P11 of the service with a stored catalogue: start to ready above that of an empty workspace, a change on
// disk to a changed answer after the debounce, memory a skill, and how they grow. On the embedded database, and on the
// server of BENCH_DATABASE_URL. Figures, since a start has no yardstick in a loop: milliseconds and kilobytes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus } from '../corpus.mjs';

const COUNTS = (process.env.BENCH_CATALOGUE ?? '1000,10000').split(',').map(Number);
const STARTS = 3;
const EDITS = 5;
const DEBOUNCE_MS = 500;

export const rows = [
  { name: 'P7 P9 P10 P11 embedded', figures: () => figures({}) },
  ...(process.env.BENCH_DATABASE_URL === undefined
    ? []
    : [
        {
          name: 'P7 P9 P10 P11 PostgreSQL',
          figures: () => figures({ DATABASE_URL: process.env.BENCH_DATABASE_URL }),
        },
      ]),
];

async function figures(database) {
  const found = {};
  const empty = await withWorkspace(0, database, async (home) => {
    const starts = [];
    for (let n = 0; n < STARTS; n++) starts.push(await timedStart(home));
    return { startMs: median(starts.map(({ ms }) => ms)), rss: median(starts.map(({ rss }) => rss)) };
  });
  for (const count of COUNTS) {
    await withWorkspace(count, database, async (home) => {
      await takeIn(home, count);
      const starts = [];
      for (let n = 0; n < STARTS; n++) starts.push(await timedStart(home));
      found[`start+${count}`] = Math.round(median(starts.map(({ ms }) => ms)) - empty.startMs);
      const perSkill = (median(starts.map(({ rss }) => rss)) - empty.rss) / count;
      found[`kb_a_skill@${count}`] = perSkill.toFixed(1);
      found[`change@${count}`] = Math.round(await changeToAnswer(home));
    });
  }
  const [small, large] = [COUNTS[0], COUNTS.at(-1)];
  if (small !== large) {
    const ratio = found[`start+${large}`] / Math.max(1, found[`start+${small}`]);
    found.start_exponent = (Math.log(ratio) / Math.log(large / small)).toFixed(2);
  }
  return found;
}

async function withWorkspace(count, database, work) {
  const dir = mkdtempSync(join(tmpdir(), 'skillwright-bench-'));
  const workspace = join(dir, 'ws');
  mkdirSync(join(workspace, 'skills'), { recursive: true });
  if (count > 0) cpSync(corpus(count), join(workspace, 'skills'), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    SKILLWRIGHT_HTTP_PORT: '0',
    SKILLWRIGHT_WORKSPACE_DIR: workspace,
    SKILLWRIGHT_DATA_DIR: join(dir, 'data'),
    SKILLWRIGHT_LOG_LEVEL: 'silent',
    ...database,
    ...(database.DATABASE_URL && { SKILLWRIGHT_DATABASE_SCHEMA: `bench_${process.pid}_${count}` }),
  };
  try {
    return await work({ env, workspace });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function start({ env }) {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const line = /^listening on (http:\S+)$/m.exec(out);
      if (line) resolve(line[1]);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const ms = performance.now() - began;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  };
  return { url, ms, stop, pid: child.pid };
}

/** Of a second start, after the index was built and garbage had time to go. */
async function timedStart(home) {
  const service = await start(home);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  await pause(3000);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  await service.stop();
  return { ms: service.ms, rss };
}

/** The first start: waits until every skill is a version. */
async function takeIn(home, count) {
  const service = await start(home);
  for (;;) {
    let stored = 0;
    let cursor = '';
    do {
      const page = await (await fetch(`${service.url}/v1/skills?limit=1000${cursor}`)).json();
      stored += page.skills.filter(({ layer, digest }) => layer === 'workspace' && digest !== null).length;
      cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    } while (cursor !== '');
    if (stored === count) break;
    await pause(1000);
  }
  await service.stop();
  // Files written within the last seconds are not vouched for by their stamps.
  await pause(2500);
}

async function changeToAnswer(home) {
  const service = await start(home);
  await pause(3000);
  const [slug] = readdirSync(join(home.workspace, 'skills'));
  const version = async () => (await (await fetch(`${service.url}/v1/skills/${slug}`)).json()).version;
  const times = [];
  for (let n = 0; n < EDITS; n++) {
    const before = await version();
    const began = performance.now();
    appendFileSync(join(home.workspace, 'skills', slug, 'SKILL.md'), `\nRemark ${n}.\n`);
    while ((await version()) === before) await pause(2);
    times.push(performance.now() - began - DEBOUNCE_MS);
  }
  await service.stop();
  return median(times);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
