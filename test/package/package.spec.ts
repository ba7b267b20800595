import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const MINUTES = 60_000;
const NO_REGISTRY = /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)|network|ENOTCACHED/i;

const scratch = mkdtempSync(join(tmpdir(), 'skillwright-package-'));
const app = join(scratch, 'app');
const hostApp = join(scratch, 'host-app');
const environment = {
  ...process.env,
  NODE_OPTIONS: '',
  WORKSPACE_DIR: join(scratch, 'workspace'),
  DATA_DIR: join(scratch, 'data'),
};

function run(cwd: string, command: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, env: environment, encoding: 'utf8', timeout: 5 * MINUTES });
}

/** Ends with what the command printed, so that a failure shows the compiler's or the runner's own words. */
function succeed(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = run(cwd, command, ...args);
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  return stdout;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const [packed] = JSON.parse(
  run(resolve('.'), 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch).stdout,
) as [Packed];
cpSync(resolve('test/package/fixtures/nest11-cjs'), app, { recursive: true });
cpSync(resolve('examples/host-app'), hostApp, {
  recursive: true,
  filter: (path) => !/node_modules|dist$/.test(path),
});
cpSync(resolve('workspace-docs'), environment.WORKSPACE_DIR, { recursive: true });
const installed = run(
  app,
  'npm',
  ...['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'],
  join(scratch, packed.filename),
);
if (installed.status !== 0 && !NO_REGISTRY.test(installed.stderr)) {
  throw new Error(`npm install of the packed package failed:\n${installed.stderr}`);
}
const hasRegistry = installed.status === 0;
if (!hasRegistry) {
  process.stderr.write(
    'SKIPPED: the npm registry cannot be reached, so the package was not tried in a Nest 11 application.\n',
  );
}
symlinkSync(join(app, 'node_modules'), join(hostApp, 'node_modules'));
const itInstalls = hasRegistry ? it : it.skip;

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('the packed package', () => {
  it('holds what runs and what is read, and nothing else', () => {
    const tops = new Set(packed.files.map(({ path }) => path.split('/')[0]));
    for (const top of ['dist', 'core', 'testing', 'docs', 'workspace-docs', 'LICENSE']) {
      expect(tops).toContain(top);
    }
    for (const top of ['src', 'test', 'examples', 'node_modules']) expect(tops).not.toContain(top);
    expect(packed.files.filter(({ path }) => /\.spec\.|\.tsbuildinfo$/.test(path))).toEqual([]);
  });
});

describe('a stock Nest 11 CommonJS application', () => {
  itInstalls(
    'compiles with the configuration of today, and with the older module resolution',
    () => {
      succeed(app, 'npx', 'tsc', '-p', 'tsconfig.node.json', '--noEmit', '--incremental', 'false');
      succeed(app, 'npx', 'tsc', '-p', 'tsconfig.json');
    },
    5 * MINUTES,
  );

  itInstalls(
    'passes its own jest, unchanged',
    () => {
      succeed(app, 'npx', 'jest', '--ci');
    },
    5 * MINUTES,
  );

  itInstalls(
    'starts, answers and ends by itself',
    () => {
      expect(succeed(app, 'node', 'dist/main.js')).toContain('slugs lead-research-assistant,agent-browser');
    },
    5 * MINUTES,
  );

  itInstalls('gets the same classes by import and by require', () => {
    const script = `
      import { createRequire } from 'node:module';
      import { SkillwrightError, SkillwrightModule } from 'skillwright';
      import { parseSkillRef } from 'skillwright/core';
      const required = createRequire(import.meta.url)('skillwright');
      const same = required.SkillwrightModule === SkillwrightModule && required.SkillwrightError === SkillwrightError;
      console.log(same, parseSkillRef('pdf@3').address);`;
    expect(succeed(app, 'node', '--input-type=module', '--eval', script).trim()).toBe('true pdf');
  });

  itInstalls('has the command line', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(succeed(app, 'npx', 'skillwright', '--version').trim()).toBe(version);
  });
});

describe('the example of a host application', () => {
  itInstalls(
    'prints what two steps get, and why',
    () => {
      succeed(hostApp, 'npx', 'tsc', '-p', 'tsconfig.json');
      const said = succeed(hostApp, 'node', 'dist/main.js');
      expect(said).toContain('== demo / research-step (decided by: step)');
      expect(said).toContain('gets agent-browser: ');
      expect(said).toContain('== demo / qualify-step (decided by: preset)');
      expect(said).toContain('gets csv-profiler: ');
      expect(said).toContain('skills/lead-research-assistant/');
      expect(said).toContain('<available_skills>');
    },
    5 * MINUTES,
  );
});
