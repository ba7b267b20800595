// Runs every command of README.md on a running service and holds the shown answers to the real ones.
// `node scripts/readme.mjs` writes the answers, `--check` compares. An answer is the fenced block below a
// line `<!-- answer -->`; a command without one only has to succeed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Run elsewhere: by `.ci/run`, and by the package test. */
const ELSEWHERE = new Set(['npm ci && npm start', 'npm ci && npm test', 'npm install skillwright']);

const check = process.argv.includes('--check');
const text = readFileSync('README.md', 'utf8');
const home = mkdtempSync(join(tmpdir(), 'skillwright-readme-'));
const env = {
  ...process.env,
  SKILLWRIGHT_DATA_DIR: join(home, 'data'),
  SKILLWRIGHT_HTTP_PORT: '0',
  NO_COLOR: '1',
};
delete env.DATABASE_URL;

const service = spawn('npm', ['start', '--silent'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
let failed = false;
try {
  const url = await listening(service);
  const written = await answered(url);
  if (!check) writeFileSync('README.md', written);
  else if (written !== text) {
    failed = true;
    console.error('README.md shows other answers than the service gives: run `node scripts/readme.mjs`.');
  }
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function answered(url) {
  const block = /```sh\n([\s\S]*?)```\n(?:\n<!-- answer -->\n\n?```(json|text)\n[\s\S]*?```\n)?/g;
  let result = '';
  let at = 0;
  for (const match of text.matchAll(block)) {
    const [whole, commands, kind] = match;
    result += text.slice(at, match.index);
    at = match.index + whole.length;
    const outputs = commands
      .split('\n')
      .filter((line) => line !== '' && !ELSEWHERE.has(line))
      .map((line) => run(line, url));
    result +=
      kind === undefined
        ? whole
        : `\`\`\`sh\n${commands}\`\`\`\n\n<!-- answer -->\n\n\`\`\`${kind}\n${show(outputs.join(''), kind)}\`\`\`\n`;
  }
  return result + text.slice(at);
}

function run(line, url) {
  const command = line.replace('http://127.0.0.1:4310', url).replace(/^npx skillwright/, 'node dist/cli.js');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
  if (status !== 0) {
    failed = true;
    console.error(`README.md: \`${line}\` ended with ${status}\n${stderr}`);
  }
  return stdout;
}

/** A revision counts changes, so it is another one each time. */
function show(output, kind) {
  if (kind === 'text') return output;
  return `${JSON.stringify({ ...JSON.parse(output), revision: 1 }, null, 2)}\n`;
}

function listening(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /^listening on (\S+)$/m.exec(output);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
  });
}
