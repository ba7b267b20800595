import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type EmbeddedEngine } from './engine.js';
import { type FromWorker, type ToWorker, type WorkerInput } from './worker-messages.js';

interface Pending {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** The embedded database in a thread of its own, so that a long statement never blocks the event loop. */
export class WorkerEngine implements EmbeddedEngine {
  #pending: Pending | null = null;
  #failure: Error | null = null;
  #ended = false;
  readonly #end: Promise<void>;

  private constructor(private readonly worker: Worker) {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'answer')
        this.#settle((pending) => {
          pending.resolve(message.bytes);
        });
    });
    worker.on('error', (error: Error) => {
      this.#failure = error;
    });
    this.#end = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#ended = true;
        // Only now are the files closed; whoever waits may open them again.
        this.#settle((pending) => {
          pending.reject(this.#gone());
        });
        resolve();
      });
    });
  }

  /** Opens the files in `dir`, or makes them. */
  static async open(dir: string): Promise<WorkerEngine> {
    const worker = new Worker(join(__dirname, 'pglite.worker.js'), {
      workerData: { dir } satisfies WorkerInput,
    });
    const engine = new WorkerEngine(worker);
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => {
        resolve();
      });
      void engine.#end.then(() => {
        reject(engine.#gone());
      });
    });
    return engine;
  }

  exec(frames: Uint8Array): Promise<Uint8Array> {
    if (this.#ended) return Promise.reject(this.#gone());
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.worker.postMessage({ kind: 'exec', frames } satisfies ToWorker);
    });
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
    await this.#end;
  }

  async close(): Promise<void> {
    if (!this.#ended) this.worker.postMessage({ kind: 'close' } satisfies ToWorker);
    await this.#end;
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) how(pending);
  }

  #gone(): Error {
    return new Error('the thread of the embedded database ended', { cause: this.#failure ?? undefined });
  }
}
