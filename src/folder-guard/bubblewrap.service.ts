import { relative } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { type CommandEnd, type CommandLimits, type CommandResult } from '../processes/command.js';
import { type CommandRunner } from '../processes/command-runner.adapter.js';
import { SkillwrightError } from '../kernel/errors.js';
import { holdPlace, type HeldPlace } from '../workspace/held-place.adapter.js';
import { lookAtPath } from '../workspace/path-look.adapter.js';
import { errorCode } from '../workspace/regular-file.adapter.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { bubblewrapArguments, type SandboxRules } from './bubblewrap.js';
import { type SandboxMount, type SandboxPlan } from './sandbox-plan.js';
import { type Enforcement, type GuardedCommand } from './sandbox-request.js';

/** How long a failure is taken for an answer; a success is one for good. */
const RETRY_MS = 60_000;
const FIRST_DESCRIPTOR = 3;

/** Runs commands in bubblewrap. */
export class Bubblewrap {
  #known: { readonly enforcement: Promise<Enforcement>; readonly until: number } | null = null;

  constructor(
    private readonly options: Pick<SkillwrightOptions, 'guard'>,
    private readonly files: WorkspaceFiles,
    private readonly runner: CommandRunner,
  ) {}

  /** Whether bubblewrap works here, found out by running it. */
  available(): Promise<Enforcement> {
    if (this.#known === null || Date.now() > this.#known.until) {
      const enforcement = this.#probe().then((found) => {
        if (found.kind === 'bubblewrap') this.#known = { enforcement, until: Infinity };
        return found;
      });
      this.#known = { enforcement, until: Date.now() + RETRY_MS };
    }
    return this.#known.enforcement;
  }

  /**
   * @param cwd absolute, without links
   * @throws SkillwrightError `grants_invalid` when what was granted changed meanwhile
   */
  async run(
    plan: SandboxPlan,
    { command, env = {}, network = false, onOutput }: GuardedCommand,
    cwd: string,
    limits: CommandLimits,
  ): Promise<CommandResult> {
    for (const folder of plan.makeFolders) this.#make(plan.root, relative(plan.root, folder));
    const held = new Map<SandboxMount, HeldPlace>();
    try {
      for (const mount of plan.mounts) if (mount.source !== null) held.set(mount, holdSource(mount.source));
      const order = [...held.keys()];
      const rules: SandboxRules = {
        cwd,
        env,
        network,
        runtimePaths: this.options.guard.runtimePaths,
        look: lookAtPath,
        descriptorOf: (mount) => FIRST_DESCRIPTOR + order.indexOf(mount),
      };
      return await this.#start(bubblewrapArguments(plan, rules), command, {
        limits,
        descriptors: Array.from(held.values(), ({ descriptor }) => descriptor),
        ...(onOutput && { onOutput }),
      });
    } finally {
      for (const place of held.values()) place.close();
      for (const folder of [...plan.temporaryFolders].reverse())
        this.files.removeEmptyFolder(plan.root, relative(plan.root, folder));
    }
  }

  #make(root: string, folder: string): void {
    try {
      this.files.mkdir(root, folder);
    } catch (error) {
      const code = errorCode(error);
      if (code === '' || SkillwrightError.is(error)) throw error;
      throw new SkillwrightError('grants_invalid', {
        detail: `the folder ${folder} cannot be made: the system says ${code}`,
      });
    }
  }

  async #probe(): Promise<Enforcement> {
    if (process.platform !== 'linux') return { kind: 'none', because: 'bubblewrap needs Linux' };
    const plan = { root: '/tmp', mounts: PROBED, links: [], makeFolders: [], temporaryFolders: [] };
    const limits = { timeMs: 10_000, graceMs: 0, outputBytes: 4096 };
    try {
      const { end, stderr } = await this.run(plan, { command: ['true'], grants: {} }, '/', limits);
      if (end.kind === 'exited' && end.status === 0) return { kind: 'bubblewrap' };
      return { kind: 'none', because: endText(end, stderr.bytes) };
    } catch (error) {
      return { kind: 'none', because: error instanceof Error ? error.message : 'it failed' };
    }
  }

  /** Arguments go in over a descriptor: everybody on the machine can read those of a process. */
  async #start(
    args: readonly string[],
    command: readonly string[],
    {
      limits,
      descriptors,
      onOutput,
    }: {
      limits: CommandLimits;
      descriptors: readonly number[];
      onOutput?: GuardedCommand['onOutput'];
    },
  ): Promise<CommandResult> {
    const options = args.slice(0, -1);
    const result = await this.runner.run({
      program: this.options.guard.bubblewrap,
      args: ['--args', String(FIRST_DESCRIPTOR + descriptors.length), '--', ...command],
      descriptors,
      inputs: [Buffer.from(options.map((one) => `${one}\0`).join(''))],
      limits,
      ...(onOutput && { onOutput }),
    });
    return { ...result, end: startProblem(result) ?? result.end };
  }
}

/** Held and mounted by descriptor, as every grant is. */
const PROBED: readonly SandboxMount[] = [
  { mode: 'read', source: '/usr/share', target: '/usr/share', found: 'folder', digest: null },
];

function holdSource(path: string): HeldPlace {
  const held = holdPlace(path);
  if (held !== null) return held;
  throw new SkillwrightError('grants_invalid', {
    detail: 'a granted place changed while the command was being started; try again',
  });
}

/** bubblewrap says with its own name that it could not start the command. */
function startProblem({ end, stderr }: CommandResult): CommandEnd | null {
  if (end.kind !== 'exited' || end.status !== 1) return null;
  const line =
    stderr.bytes
      .toString('utf8')
      .split('\n')
      .findLast((one) => one !== '') ?? '';
  return line.startsWith('bwrap: ') ? { kind: 'not_started', because: line.slice('bwrap: '.length) } : null;
}

function endText(end: CommandEnd, stderr: Buffer): string {
  switch (end.kind) {
    case 'not_started':
      return end.because;
    case 'timed_out':
      return 'it did not end in time';
    case 'killed':
      return `it was ended by ${end.signal}`;
    case 'exited':
      return stderr.toString('utf8').trim().slice(0, 200) || `it exited with ${end.status}`;
  }
}
