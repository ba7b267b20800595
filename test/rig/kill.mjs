// Kills the service at random moments of edits on disk and through its door, and looks whether anything that was
// acknowledged is lost. `npm run rig -- --kills 200`; DATABASE_URL takes a server instead of the embedded database.
// Needs a build. Prints one line a kill that found something, and the figures at the end; exits 1 when any did.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const kills = Number(values.kills);
const READY_MS = 10_000;

let state = Number(values.seed) >>> 0;
/** A small generator, so that a run can be repeated: mulberry32. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const home = mkdtempSync(join(tmpdir(), 'skillwright-rig-'));
const workspace = join(home, 'ws');
cpSync('workspace-docs', workspace, { recursive: true });
rmSync(join(workspace, '.skillwright-workspace.json'), { force: true });
const env = {
  PATH: process.env.PATH,
  SKILLWRIGHT_HTTP_PORT: '0',
  SKILLWRIGHT_WORKSPACE_DIR: workspace,
  SKILLWRIGHT_DATA_DIR: join(home, 'data'),
  SKILLWRIGHT_LOG_LEVEL: 'error',
  SKILLWRIGHT_WATCH_DEBOUNCE_MS: '50',
  ...(process.env.DATABASE_URL && {
    DATABASE_URL: process.env.DATABASE_URL,
    SKILLWRIGHT_DATABASE_SCHEMA: `rig_${process.pid}`,
  }),
};

async function start() {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const line = /^listening on (http:\S+)$/m.exec(out);
      if (line) resolve(line[1]);
    });
    child.once('exit', () => reject(new Error(`the service ended before it listened: ${err}`)));
  });
  return { child, url, readyMs: performance.now() - began };
}

async function ask(url, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
}

const slugs = ['code-review', 'csv-profiler', 'log-triage', 'mcp-builder'];
/** What the service said it keeps: slug -> version and digest; a later answer replaces an earlier one. */
const acknowledged = new Map();
let edits = 0;
let doors = 0;

/** One change at a time, until the service is gone. */
async function keepChanging(url, isOver) {
  while (!isOver()) {
    const slug = slugs[Math.floor(random() * slugs.length)];
    const kind = random();
    // A request that gets no answer may have been done or not: then nothing is known of what it was about.
    let about = null;
    try {
      if (kind < 0.4) {
        appendFileSync(join(workspace, 'skills', slug, 'SKILL.md'), `\nRemark ${++edits}.\n`);
      } else if (kind < 0.55) {
        writeFileSync(
          join(workspace, 'skills', slug, `note-${Math.floor(random() * 3)}.md`),
          `Note ${++edits}.\n`,
        );
      } else if (kind < 0.75) {
        doors++;
        const { status, body } = await ask(url, 'PUT', `/v1/skills/${slug}`, {
          description: `Said at ${doors}.`,
        });
        if (status === 200) acknowledged.set(slug, { version: body.version, digest: body.digest });
      } else if (kind < 0.9) {
        doors++;
        const enabled = random() < 0.5;
        about = `${slug}:enabled`;
        const { status } = await ask(url, 'POST', `/v1/skills/${slug}/toggle`, { enabled });
        if (status === 200) acknowledged.set(about, enabled);
      } else {
        doors++;
        const step = `step-${Math.floor(random() * 4)}`;
        const body = { agent_configs: { enabled_skills: [slug] } };
        about = `step:${step}`;
        const { status } = await ask(url, 'PATCH', `/v1/workflows/demo/steps/${step}`, body);
        if (status === 200) acknowledged.set(about, slug);
      }
    } catch {
      if (about !== null) acknowledged.delete(about);
      await pause(1);
    }
    await pause(random() * 30);
  }
}

/** Everything that was acknowledged is in the history, and what lies in folders is what the catalogue has. */
async function judge(url) {
  const problems = [];
  for (const [key, value] of acknowledged) {
    if (key.startsWith('step:')) {
      const { body } = await ask(url, 'GET', '/v1/workflows/demo/step-config');
      const step = body.steps.find(({ id }) => id === key.slice(5));
      if (step?.agent_configs?.enabled_skills?.[0] !== value) problems.push(`${key} is not ${value}`);
    } else if (key.endsWith(':enabled')) {
      const { body } = await ask(url, 'GET', `/v1/skills/${key.slice(0, -8)}`);
      if (body.enabled !== value) problems.push(`${key} is not ${value}`);
    } else {
      const { body } = await ask(url, 'GET', `/v1/skills/${key}/versions`);
      const version = body.versions.find((one) => one.version === value.version);
      if (version?.digest !== value.digest) problems.push(`${key} has lost version ${value.version}`);
      const numbers = body.versions.map((one) => one.version);
      if (numbers.some((number, at) => number !== numbers.length - at))
        problems.push(`${key} has a gap: ${numbers}`);
    }
  }
  const verified = spawnSync(process.execPath, ['dist/cli.js', 'verify', '--all', '--url', url], {
    env,
    encoding: 'utf8',
  });
  if (verified.status !== 0) problems.push(`verify: ${verified.stdout}${verified.stderr}`);
  for (const slug of slugs) {
    const path = join(workspace, 'skills', slug, 'SKILL.md');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
    const kept = async () => (await ask(url, 'GET', `/v1/skills/${slug}?include=content`)).body.content;
    const until = performance.now() + 5000;
    while ((await kept()) !== text && performance.now() < until) await pause(50);
    if ((await kept()) !== text) problems.push(`${slug}: folder and catalogue differ`);
  }
  return problems;
}

let found = 0;
const times = [];
let service = await start();
for (let kill = 1; kill <= kills; kill++) {
  let over = false;
  const changing = keepChanging(service.url, () => over);
  await pause(50 + random() * 1500);
  const gone = new Promise((resolve) => service.child.once('exit', resolve));
  service.child.kill('SIGKILL');
  await gone;
  over = true;
  await changing;
  service = await start();
  times.push(service.readyMs);
  const problems = await judge(service.url);
  if (service.readyMs > READY_MS) problems.push(`ready after ${Math.round(service.readyMs)} ms only`);
  if (problems.length > 0) {
    found += 1;
    console.log(`kill ${kill}: ${problems.join('; ')}`);
  }
}
service.child.kill('SIGTERM');
times.sort((a, b) => a - b);
const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
console.log(
  `${kills} kills, ${edits} edits on disk, ${doors} requests; ready again after ${at(0.5)} ms (median), ${at(1)} ms at most; ${found} with a problem`,
);
if (found === 0) rmSync(home, { recursive: true, force: true });
else console.log(`left for looking into: ${home}`);
process.exit(found === 0 ? 0 : 1);
