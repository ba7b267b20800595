/** The thread in which the embedded database runs; started by `worker-engine.adapter.ts`. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openFolder } from './open-folder.js';
import { runFrames } from './run-frames.js';
import { type FromWorker, type ToWorker, type WorkerInput } from './worker-messages.js';

async function serve(port: NonNullable<typeof parentPort>, { dir }: WorkerInput): Promise<void> {
  const database = await openFolder(dir, join(__dirname, 'template.tar.gz'));
  const answer = async (message: ToWorker): Promise<void> => {
    if (message.kind === 'close') {
      await database.close();
      port.close();
      return;
    }
    const bytes = await runFrames(database, message.frames);
    port.postMessage({ kind: 'answer', bytes } satisfies FromWorker, [bytes.buffer as ArrayBuffer]);
  };
  // A rejection ends the thread on purpose: a backend that failed outside of a statement is not to be trusted.
  port.on('message', (message: ToWorker) => void answer(message));
  port.postMessage({ kind: 'ready' } satisfies FromWorker);
}

if (parentPort !== null) void serve(parentPort, workerData as WorkerInput);
