// P4: the main question over HTTP, warm, against a bare Nest route of the same adapter that sends the same bytes. Each
// server is a process of its own; this process asks.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATH = '/v1/workflows/demo/steps/s/effective-skills?include=listing,folder_guard';
const REQUESTS = 3_000;
const CALLERS = 8;

async function prepare(conditional) {
  const home = mkdtempSync(join(tmpdir(), 'skillwright-bench-'));
  const slugs = ['alpha', 'beta', 'gamma', 'delta'];
  const put = (path, text) => {
    mkdirSync(join(home, 'workspace', path, '..'), { recursive: true });
    writeFileSync(join(home, 'workspace', path), text);
  };
  for (const slug of slugs) {
    const description = `Does ${slug} work on tables and reports. `.repeat(3).trim();
    put(`skills/${slug}/SKILL.md`, `---\nname: ${slug}\ndescription: ${description}\n---\n\nSteps.\n`);
  }
  const steps = [{ id: 's', agent_configs: { enabled_skills: slugs } }];
  put('workflows/demo/step_config.json', JSON.stringify({ steps }));

  const ours = await start('dist/main.js', {
    SKILLWRIGHT_WORKSPACE_DIR: join(home, 'workspace'),
    SKILLWRIGHT_DATA_DIR: join(home, 'data'),
    SKILLWRIGHT_HTTP_PORT: '0',
    SKILLWRIGHT_LOG_LEVEL: 'silent',
  });
  // A file written within the last two seconds is not vouched for by its time stamp.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const first = await ask(ours.url + PATH, {});
  const bare = await start('bench/support/bare-nest.mjs', {}, first.body);
  const oursHeaders = conditional ? { 'if-none-match': first.etag } : {};
  const bareHeaders = conditional ? { 'if-none-match': '"bare"' } : {};
  return {
    async check() {
      const [mine, theirs] = [
        await ask(ours.url + PATH, oursHeaders),
        await ask(`${bare.url}/answer`, bareHeaders),
      ];
      assert.equal(mine.status, conditional ? 304 : 200);
      assert.equal(theirs.status, mine.status);
      assert.deepEqual(mine.body, theirs.body);
      assert.equal(JSON.parse(first.body).skills.length, slugs.length);
      // Both servers compile what they run often.
      for (let n = 0; n < 3; n++) {
        await load(ours.url + PATH, oursHeaders);
        await load(`${bare.url}/answer`, bareHeaders);
      }
    },
    ours: () => load(ours.url + PATH, oursHeaders),
    yardstick: () => load(`${bare.url}/answer`, bareHeaders),
    after() {
      ours.child.kill('SIGTERM');
      bare.child.kill('SIGTERM');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

async function load(url, headers) {
  let left = REQUESTS;
  const caller = async () => {
    while (left-- > 0) await ask(url, headers);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

function ask(url, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode, etag: response.headers.etag, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

function start(script, env, input) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const url = /listening on (\S+)/.exec(chunk.toString())?.[1];
      if (url !== undefined) resolve({ url, child });
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

// Ratios are of times, so a share of 0.85 of the bare route is a ratio of 1 / 0.85.
export const rows = [
  { name: 'P4 http 200', goal: 1 / 0.85, prepare: () => prepare(false) },
  { name: 'P4 http 304', goal: 1 / 0.95, prepare: () => prepare(true) },
];
