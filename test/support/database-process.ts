import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ProcessAnswer {
  readonly id?: number;
  readonly ready?: true;
  readonly rows?: unknown[];
  readonly code?: string;
  readonly message?: string;
}

/** A child process that owns an embedded database, run from `dist` with its worker thread. */
export class DatabaseProcess {
  readonly #waiting = new Map<number, (answer: ProcessAnswer) => void>();
  readonly #ended: Promise<unknown>;
  #lastId = 0;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    /** The first line: ready, or why not. */
    readonly greeting: Promise<ProcessAnswer>,
    lines: AsyncIterable<string>,
  ) {
    this.#ended = once(child, 'exit');
    void this.#read(lines);
  }

  static async start(dir: string, { statementMs = 30_000 } = {}): Promise<DatabaseProcess> {
    const program = join(process.cwd(), 'test/support/database-child.mjs');
    const child = spawn(process.execPath, [program, JSON.stringify({ dir, statementMs })]);
    child.stderr.pipe(process.stderr);
    let greet: (answer: ProcessAnswer) => void = () => undefined;
    const greeting = new Promise<ProcessAnswer>((resolve) => {
      greet = resolve;
    });
    const started = new DatabaseProcess(child, greeting, createInterface({ input: child.stdout }));
    started.#waiting.set(0, greet);
    await greeting;
    return started;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  query(sql: string): Promise<ProcessAnswer> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.stdin.write(`${JSON.stringify({ id, sql })}\n`);
    });
  }

  /** As a power user, or the kernel, would: no goodbye. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.#ended;
  }

  async #read(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      const answer = JSON.parse(line) as ProcessAnswer;
      const id = answer.id ?? 0;
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    }
  }
}
