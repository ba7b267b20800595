import { type ChildProcess, spawn } from 'node:child_process';
import { type Readable, type Writable } from 'node:stream';
import { holdPlace, type HeldPlace } from '../workspace/held-place.adapter.js';
import { inheritedDescriptors } from '../workspace/inherited-descriptors.adapter.js';
import { errorCode } from '../workspace/regular-file.adapter.js';
import {
  type Command,
  type CommandEnd,
  type CommandLimits,
  type CommandResult,
  type KeptOutput,
} from './command.js';

/** How long output of a program that ended is waited for: one of its children may hold the pipe for ever. */
const DRAIN_MS = 500;

/**
 * The one door to processes. Runs a program in a process group of its own, with nothing on its standard input and no
 * environment but the given one, and ends the whole group when the program is over or its time is. A child that
 * leaves the group outlives it; only a sandbox with a process namespace holds such a child.
 *
 * Never throws: a program that cannot be started is a result.
 */
export class CommandRunner {
  readonly #running = new Set<ChildProcess>();

  async run(command: Command): Promise<CommandResult> {
    let child: ChildProcess;
    try {
      child = start(command);
    } catch (error) {
      return notStarted(reasonOf(error));
    }
    this.#running.add(child);
    try {
      return await this.#follow(child, command);
    } finally {
      this.#running.delete(child);
    }
  }

  /** Ends everything that runs, at once. */
  stop(): void {
    for (const child of this.#running) killGroup(child, 'SIGKILL');
  }

  async #follow(child: ChildProcess, { limits, onOutput }: Command): Promise<CommandResult> {
    const keep = (stream: 'stdout' | 'stderr'): Keeper =>
      keepOutput(child[stream], limits.outputBytes, (bytes) => onOutput?.(stream, bytes));
    const [stdout, stderr] = [keep('stdout'), keep('stderr')];
    const limit = limitTime(child, limits);
    const end = await endOf(child);
    limit.clear();
    killGroup(child, 'SIGKILL');
    await drained([stdout, stderr]);
    return {
      end: limit.isOver() && end.kind !== 'not_started' ? { kind: 'timed_out' } : end,
      stdout: stdout.kept(),
      stderr: stderr.kept(),
    };
  }
}

/** Asks the group to end when its time is over, and ends it after the grace. */
function limitTime(
  child: ChildProcess,
  { timeMs, graceMs }: CommandLimits,
): { isOver(): boolean; clear(): void } {
  let over = false;
  const kill = (): void => {
    killGroup(child, 'SIGKILL');
  };
  let timer = setTimeout(() => {
    over = true;
    if (graceMs === 0) {
      kill();
      return;
    }
    killGroup(child, 'SIGTERM');
    timer = setTimeout(kill, graceMs);
  }, timeMs);
  return {
    isOver: () => over,
    clear: () => {
      clearTimeout(timer);
    },
  };
}

function start({ program, args, cwd, env = {}, descriptors = [], inputs = [] }: Command): ChildProcess {
  const given = [...descriptors, ...inputs.map(() => 'pipe' as const)];
  const nothing = holdPlace('/dev/null');
  try {
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe', ...given, ...covers(3 + given.length, nothing)],
    });
    inputs.forEach((bytes, index) => {
      const pipe = child.stdio[3 + descriptors.length + index] as Writable | null | undefined;
      // A program that ends without reading is no failure.
      pipe?.on('error', () => undefined).end(bytes);
    });
    return child;
  } finally {
    nothing?.close();
  }
}

/**
 * What goes over descriptors that this process was started with and that are none of the program's business: a folder
 * among them would be a way out of any sandbox.
 */
function covers(first: number, nothing: HeldPlace | null): (number | 'ignore')[] {
  const inherited = new Set(inheritedDescriptors());
  const last = Math.max(first - 1, ...inherited);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    nothing !== null && inherited.has(first + index) ? nothing.descriptor : 'ignore',
  );
}

function endOf(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ kind: 'not_started', because: reasonOf(error) });
    });
    child.once('exit', (status, signal) => {
      resolve(status === null ? { kind: 'killed', signal: signal ?? '' } : { kind: 'exited', status });
    });
  });
}

interface Keeper {
  readonly ended: Promise<void>;
  kept(): KeptOutput;
  close(): void;
}

/** Reads a stream to its end, so that the program never waits for us, and keeps the start of it. */
function keepOutput(stream: Readable | null, limit: number, onBytes: (bytes: Buffer) => void): Keeper {
  const parts: Buffer[] = [];
  let length = 0;
  let dropped = 0;
  stream?.on('data', (chunk: Buffer) => {
    const room = chunk.subarray(0, limit - length);
    dropped += chunk.length - room.length;
    if (room.length === 0) return;
    length += room.length;
    parts.push(room);
    onBytes(room);
  });
  const ended = new Promise<void>((resolve) => {
    if (stream === null) resolve();
    stream?.once('close', resolve).once('error', () => {
      resolve();
    });
  });
  return {
    ended,
    kept: () => ({ bytes: Buffer.concat(parts), dropped }),
    close: () => void stream?.destroy(),
  };
}

async function drained(keepers: readonly Keeper[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([Promise.all(keepers.map(({ ended }) => ended)), enough]);
  clearTimeout(timer);
  for (const keeper of keepers) keeper.close();
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

function notStarted(because: string): CommandResult {
  const nothing = { bytes: Buffer.alloc(0), dropped: 0 };
  return { end: { kind: 'not_started', because }, stdout: nothing, stderr: nothing };
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  return code === '' ? 'it failed' : `the system says ${code}`;
}
