import { type CommandResult } from '../processes/command.js';
import { type GuardGrants } from './guard-grants.js';
import { type SandboxMount, type SandboxPlan } from './sandbox-plan.js';

/** What keeps a command to its grants on this machine. */
export type Enforcement =
  { readonly kind: 'bubblewrap' } | { readonly kind: 'none'; readonly because: string };

/** A command to run with nothing but its grants. */
export interface GuardedCommand {
  /** Program and arguments; no shell is involved unless it is the program. */
  readonly command: readonly string[];
  readonly grants: GuardGrants;
  /** Absolute, or relative to the workspace, which it is by default. */
  readonly cwd?: string | undefined;
  /** Added to a small environment that holds nothing of the service's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether it may use the network; false by default. */
  readonly network?: boolean | undefined;
  /** Milliseconds after which it is ended with all it started; `guard.timeMs` by default. */
  readonly timeMs?: number | undefined;
  /** Bytes kept of each output stream; `guard.outputBytes` by default. */
  readonly outputBytes?: number | undefined;
  /** Run without a sandbox where there is none. Nothing then keeps the command to its grants. */
  readonly allowUnsandboxed?: boolean | undefined;
  /** Sees output while the command runs. */
  readonly onOutput?: ((stream: 'stdout' | 'stderr', bytes: Buffer) => void) | undefined;
}

export interface GuardedResult extends CommandResult {
  readonly enforcement: Enforcement['kind'];
}

/** How a command with these grants is launched by somebody else. Paths are absolute. */
export interface SandboxLaunch {
  /** The workspace. */
  readonly root: string;
  /** The program and its arguments, up to and with the `--` before the command; to be started without environment. */
  readonly bubblewrap: readonly string[];
  /** Arguments of `docker run` and `podman run`. */
  readonly container: readonly string[];
  readonly mounts: readonly SandboxMount[];
  /** Links that lead to the mounts; a container has to make them itself. */
  readonly links: SandboxPlan['links'];
  /** To be made before the launch. */
  readonly make_folders: readonly string[];
  readonly cwd: string;
}
