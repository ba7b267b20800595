import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RequestOptions {
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The service as a user runs it: a process of its own, started from dist. */
export interface TestService {
  readonly url: string;
  /** A copy of the sample workspace, or the folder that was given. */
  readonly workspace: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  readonly stderr: () => string;
  request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<TestAnswer<Body>>;
  /** Ends it by SIGTERM and gives the exit status. */
  stop(): Promise<number | null>;
  /** Removes what it left on disk. */
  clean(): Promise<void>;
}

export interface ServiceOptions {
  readonly workspace?: string;
  readonly dataDir?: string;
  readonly env?: Record<string, string>;
}

/** Starts the service on a free port and waits for its line `listening on …`. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const home = await mkdtemp(join(tmpdir(), 'skillwright-e2e-'));
  const workspace = options.workspace ?? join(home, 'workspace-docs');
  if (options.workspace === undefined) await cp('workspace-docs', workspace, { recursive: true });
  const dataDir = options.dataDir ?? join(home, 'data');
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SKILLWRIGHT_HTTP_PORT: '0',
      SKILLWRIGHT_WORKSPACE_DIR: workspace,
      SKILLWRIGHT_DATA_DIR: dataDir,
      SKILLWRIGHT_LOG_LEVEL: 'warn',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await addressOf(child, () => stderr);
  return {
    url,
    workspace,
    dataDir,
    process: child,
    stderr: () => stderr,
    request: (method, path, request) => send(url + path, method, request),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return (await ended)[0];
    },
    clean: () => rm(home, { recursive: true, force: true }),
  };
}

function addressOf(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const line = /^listening on (http:\/\/\S+)$/m.exec(stdout);
      if (line?.[1] !== undefined) resolve(line[1]);
    });
    child.once('exit', (code) => {
      reject(new Error(`the service ended with ${code} before it listened:\n${stderr()}`));
    });
  });
}

async function send<Body>(
  url: string,
  method: string,
  options: RequestOptions = {},
): Promise<TestAnswer<Body>> {
  const { body, headers } = options;
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: (json ? JSON.parse(text) : text) as Body,
  };
}
