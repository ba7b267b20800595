import { describe } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const BUNDLED = resolve('bundled-skills');

/** Python finds no room for byte code in a skill's folder: nothing but the skill may lie there. */
const ENVIRONMENT = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' };

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; never throws for its exit code. */
export function run(program: string, args: readonly string[], input = ''): Run {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: ENVIRONMENT,
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout: error ? '' : stdout, stderr: error ? error.message : stderr };
}

function has(interpreter: string, library: string): boolean {
  return run(interpreter, ['-c', `import ${library}`]).status === 0;
}

const LIBRARIES = ['pypdf', 'docx', 'openpyxl', 'lxml'];

/** The interpreter that knows the most libraries: a version manager's may hide the system's. */
export const PYTHON =
  process.env['TEST_PYTHON'] ??
  ['python3', '/usr/bin/python3']
    .map((path) => ({ path, known: LIBRARIES.filter((library) => has(path, library)).length }))
    .reduce((best, next) => (next.known > best.known ? next : best)).path;

/** Runs a script of a bundled skill with the chosen interpreter. */
export function script(skill: string, name: string, args: readonly string[], input = ''): Run {
  return run(PYTHON, [join(BUNDLED, skill, 'scripts', name), ...args], input);
}

/** Runs a script that must succeed and returns what it printed. */
export function done(skill: string, name: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = script(skill, name, args, input);
  if (status !== 0) throw new Error(`${skill}/${name} ended with ${String(status)}: ${stderr}`);
  return stdout;
}

/** Runs a script that must succeed and returns the JSON that it printed. */
export function told(skill: string, name: string, args: readonly string[], input = ''): unknown {
  return JSON.parse(done(skill, name, args, input));
}

/** Runs another program that must succeed and returns what it printed. */
export function tool(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = run(program, args, input);
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return stdout;
}

interface Needs {
  readonly libraries?: readonly string[];
  readonly tools?: readonly string[];
}

/** A suite that stands as skipped, with the reason in its name, where this machine lacks what it needs. */
export function describeWith(needs: Needs, title: string, suite: () => void): void {
  const missing = [
    ...(needs.libraries ?? []).filter((name) => !has(PYTHON, name)).map((name) => `Python library ${name}`),
    ...(needs.tools ?? []).filter((name) => run('which', [name]).status !== 0).map((name) => `tool ${name}`),
  ];
  if (missing.length === 0) {
    describe(title, suite);
    return;
  }
  const reason = `not installed: ${missing.join(', ')}`;
  process.stderr.write(`SKIPPED ${title}: ${reason}\n`);
  describe.skip(`${title} (skipped, ${reason})`, suite);
}

/** A folder of its own for one spec file; `remove` belongs in `afterAll`. */
export function scratch(): { readonly path: (name: string) => string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'skillwright-bundled-'));
  return {
    path: (name) => join(dir, name),
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
