import { resolve } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { CommandRunner } from '../processes/command-runner.adapter.js';
import { lookAtPath, realFolder } from '../workspace/path-look.adapter.js';
import { WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { Bubblewrap } from './bubblewrap.service.js';
import { bubblewrapArguments, commandEnvironment } from './bubblewrap.js';
import { containerArguments } from './container-mounts.js';
import { type AccessDecision, type AccessRequest, decideAccess, decideAmong } from './decide-access.js';
import { buildSkillFolderGuardPaths, type SkillGrants } from './grants.js';
import { type GuardGrants } from './guard-grants.js';
import { type GuardedFile, GuardedFiles } from './guarded-files.service.js';
import { type GuardGround, type GuardRoots, placeGrants } from './guard-roots.js';
import { type SandboxPlan, planSandbox } from './sandbox-plan.js';
import {
  type Enforcement,
  type GuardedCommand,
  type GuardedResult,
  type SandboxLaunch,
} from './sandbox-request.js';
import { findHardLink } from './skill-hard-links.service.js';

/** What a step may read and write. */
export class FolderGuardService {
  readonly #runner = new CommandRunner();
  readonly #bubblewrap: Bubblewrap;
  readonly #tools: GuardedFiles;

  constructor(
    private readonly options: Pick<SkillwrightOptions, 'workspace' | 'guard' | 'limits'>,
    private readonly files: WorkspaceFiles = new WorkspaceFiles(),
  ) {
    this.#bubblewrap = new Bubblewrap(options, files, this.#runner);
    this.#tools = new GuardedFiles(files, (grants) => this.#ground(grants));
  }

  /**
   * Read-only grants for skill folders.
   *
   * @example guard.buildSkillFolderGuardPaths(['pdf']).readPaths // ['skills/pdf/', 'skills/pdf']
   */
  buildSkillFolderGuardPaths(slugs: Iterable<string>): SkillGrants {
    return buildSkillFolderGuardPaths(slugs);
  }

  /**
   * Whether an operation may go on, by the places its paths lead to on disk at this moment. Never throws; whatever
   * is not understood is denied.
   *
   * @param grants as `WorkflowSkillsService.stepGrants` gives them, with what the engine adds
   * @example guard.check({ operation: 'read', path: 'skills/pdf/SKILL.md' }, { read_paths: ['skills/pdf'] }).allow
   */
  check(request: AccessRequest, grants: GuardGrants): AccessDecision {
    return decideAccess(request, grants, this.#ground(grants));
  }

  /**
   * Reads a file for a tool: the file that is opened is the one that was judged.
   *
   * @throws SkillwrightError `guard_denied`, `file_not_found`, `file_too_large` (25 MiB by default)
   * @example guard.readFile({ path: 'skills/pdf/SKILL.md', grants }).toString()
   */
  readFile(file: GuardedFile, { maxBytes = this.options.limits.fileBytes } = {}): Buffer {
    return this.#tools.read(file, maxBytes);
  }

  /**
   * Replaces or creates a file for a tool, at once and whole; missing folders are made.
   *
   * @throws SkillwrightError `guard_denied`, `path_invalid`, `storage_full`
   */
  writeFile(file: GuardedFile, bytes: Uint8Array | string): void {
    this.#tools.write(file, bytes);
  }

  /** What can keep a command to its grants on this machine, found out by trying. */
  enforcement(): Promise<Enforcement> {
    return this.#bubblewrap.available();
  }

  /**
   * How somebody else launches a command with these grants: arguments for bubblewrap, mounts for a container.
   * Nothing is made or run.
   *
   * @throws SkillwrightError `grants_invalid`, `guard_denied`
   */
  launch({ grants, cwd, env, network }: Omit<GuardedCommand, 'command'>): SandboxLaunch {
    const { plan, folder } = this.#prepare(grants, cwd);
    const { runtimePaths, bubblewrap } = this.options.guard;
    const rules = {
      cwd: folder,
      look: lookAtPath,
      runtimePaths,
      ...(env && { env }),
      ...(network !== undefined && { network }),
    };
    return {
      root: plan.root,
      bubblewrap: [bubblewrap, ...bubblewrapArguments(plan, rules)],
      container: containerArguments(plan),
      mounts: plan.mounts,
      links: plan.links,
      make_folders: plan.makeFolders,
      cwd: folder,
    };
  }

  /**
   * Runs a command that sees its grants and nothing else of this machine's files, and ends all that it started when
   * it is over or its time is.
   *
   * @throws SkillwrightError `bad_request`, `grants_invalid`, `guard_denied`, and `sandbox_unavailable` where nothing
   *   can hold the command and nobody said that this does not matter
   * @example
   * const grants = addGrants(await skills.stepGrants(step), { write_paths: ['runs/7/out'] });
   * const { end, stdout } = await guard.run({ command: ['sh', '-c', 'ls skills'], grants });
   */
  async run(request: GuardedCommand): Promise<GuardedResult> {
    const problem = commandProblem(request);
    if (problem !== null) throw new SkillwrightError('bad_request', { detail: problem });
    const { plan, folder, placed } = this.#prepare(request.grants, request.cwd);
    const { allowUnsandboxed, timeMs, outputBytes } = this.options.guard;
    const limits = {
      timeMs: request.timeMs ?? timeMs,
      outputBytes: request.outputBytes ?? outputBytes,
    };
    const enforcement = await this.enforcement();
    if (enforcement.kind === 'bubblewrap') {
      this.#refuseHardLinks(placed);
      // The first process of a sandbox takes all others with it: there is nobody to wait for.
      const result = await this.#bubblewrap.run(plan, request, folder, { ...limits, graceMs: 0 });
      return { ...result, enforcement: 'bubblewrap' };
    }
    if (!allowUnsandboxed && request.allowUnsandboxed !== true) {
      throw new SkillwrightError('sandbox_unavailable', {
        detail: `nothing here can keep a command to its grants: ${enforcement.because}`,
      });
    }
    return { ...(await this.#runOpenly(request, folder, limits)), enforcement: 'none' };
  }

  /** Ends every command that still runs. */
  stop(): void {
    this.#runner.stop();
  }

  #runOpenly(
    { command, env, onOutput }: GuardedCommand,
    cwd: string,
    limits: { readonly timeMs: number; readonly outputBytes: number },
  ): ReturnType<CommandRunner['run']> {
    return this.#runner.run({
      // Finds the program by the search path of its own environment.
      program: '/bin/sh',
      args: ['-c', 'exec "$@"', 'sh', ...command],
      cwd,
      env: commandEnvironment(env),
      limits: { ...limits, graceMs: 2000 },
      ...(onOutput && { onOutput }),
    });
  }

  /** @throws SkillwrightError */
  #prepare(
    grants: GuardGrants,
    cwd: string | undefined,
  ): { plan: SandboxPlan; folder: string; placed: GuardRoots } {
    const ground = this.#ground(grants);
    const placed = placeGrants(grants, ground);
    if (placed.refused.length > 0) {
      const issues = placed.refused.map(({ list, path, because }) =>
        finding('grant_invalid', { field: list, found: path, message: because }),
      );
      const detail = placed.refused
        .map(({ list, path, because }) => `${list} "${path}": ${because}`)
        .join('; ');
      throw new SkillwrightError('grants_invalid', { detail, issues });
    }
    return { plan: planSandbox(placed, ground), folder: folderOf(cwd, placed, ground), placed };
  }

  /** A second name of a skill's file, in a folder that may be written, would let it be changed through any mount. */
  #refuseHardLinks({ roots }: GuardRoots): void {
    if (!roots.some(({ kind }) => kind === 'write')) return;
    for (const { kind, path, given, skill } of roots) {
      if (kind !== 'skill') continue;
      const found = findHardLink(skill?.source ?? path, this.files);
      if (found === null) continue;
      throw new SkillwrightError('grants_invalid', {
        detail: `${given}/${found} has a second name elsewhere (hard link), through which it could be changed`,
      });
    }
  }

  #ground({ skill_places: places = [] }: GuardGrants): GuardGround {
    return {
      root: realFolder(resolve(this.options.workspace.dir)),
      look: lookAtPath,
      skillPlaces: places.map(realFolder),
      foldsNames: process.platform === 'darwin',
    };
  }
}

/** A command starts in the workspace, which is empty but for its grants, or in a granted folder. */
function folderOf(cwd: string | undefined, placed: GuardRoots, ground: GuardGround): string {
  const decision = decideAmong({ operation: 'list', path: cwd ?? '.' }, placed, ground);
  if (decision.because.kind === 'no_grants') {
    throw new SkillwrightError('guard_denied', { detail: 'nothing is granted, so no command is run' });
  }
  if (decision.path === '.') return ground.root;
  if (!decision.allow) {
    throw new SkillwrightError('guard_denied', {
      detail: `the working folder ${decision.path}: ${decision.because.text}`,
    });
  }
  return resolve(ground.root, decision.path);
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

function commandProblem({ command, env = {} }: GuardedCommand): string | null {
  if (command.length === 0 || command[0] === '') return 'the command is empty';
  if (command.some((word) => word.includes('\0'))) return 'the command holds a NUL character';
  for (const [name, value] of Object.entries(env)) {
    if (!VARIABLE.test(name) || value.includes('\0')) return `the variable "${name}" cannot be set`;
  }
  return null;
}
