import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The program as it is installed. */
export const CLI = resolve('dist/cli.js');

export interface CliRun {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliPlace {
  readonly cwd: string;
  /** Variables added to a small, clean environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the program to its end. Its HOME is its working folder unless the environment names another. */
export function runCli(args: readonly string[], { cwd, env = {} }: CliPlace): Promise<CliRun> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (err += part));
    child.on('error', failed);
    child.on('close', (status) => {
      done({ status, out, err });
    });
  });
}
