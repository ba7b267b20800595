/** One program to run, without a shell. */
export interface Command {
  /** Absolute, so that no search path decides which program it is. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd?: string;
  /** The whole environment of the program; empty by default, never this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Open descriptors of this process that the program gets as 3, 4, …; the caller closes them. */
  readonly descriptors?: readonly number[];
  /** What the program reads, each to its end, from the descriptors after those. */
  readonly inputs?: readonly Uint8Array[];
  readonly limits: CommandLimits;
  /** Sees output while the program runs, as much as the limits keep. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

export interface CommandLimits {
  /** Milliseconds until the program is ended. */
  readonly timeMs: number;
  /** Milliseconds between asking it to end and ending it; 0 ends it at once. */
  readonly graceMs: number;
  /** Bytes that are kept of each stream; the rest is read and dropped. */
  readonly outputBytes: number;
}

export type CommandEnd =
  | { readonly kind: 'exited'; readonly status: number }
  /** Ended by a signal that did not come from here. */
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'not_started'; readonly because: string };

export interface KeptOutput {
  readonly bytes: Buffer;
  /** How many bytes more there were. */
  readonly dropped: number;
}

export interface CommandResult {
  readonly end: CommandEnd;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}
