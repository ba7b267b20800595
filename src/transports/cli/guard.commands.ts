import { SkillwrightError } from '../../kernel/errors.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { inline } from './terminal-text.js';

const operations = () => import('../../operations/folder-guard.operations.js');

/** Whose grants, and what is added to them. */
export interface GuardFlags {
  readonly workflow?: string;
  readonly step?: string;
  readonly preset?: string;
  readonly read?: string[];
  readonly write?: string[];
  readonly block?: string[];
  readonly blockWrite?: string[];
  readonly cwd?: string;
}

export interface GuardQuestion {
  readonly operation: string;
  readonly path: string;
  readonly to?: string;
}

/** Whether a step may touch a path; exit 1 when it may not. */
export async function guardCheckCommand(
  session: CliSession,
  question: GuardQuestion,
  flags: GuardFlags,
): Promise<number> {
  const { checkAccess } = await operations();
  return withBackend(await session.openWorkspace(), async (backend) => {
    const answer = await backend.ask(checkAccess, {
      question: { ...question, ...scopeOf(flags), cwd: flags.cwd },
    });
    session.answer(answer, () => {
      const { paint } = session;
      const verdict = answer.allow ? paint('green', 'allowed') : paint('red', 'denied');
      const places = answer.to === undefined ? answer.path : `${answer.path} -> ${answer.to}`;
      const refused = answer.refused.map(
        ({ list, path, because }) =>
          `${paint('yellow', 'no grant')}  ${list} ${inline(path)}: ${inline(because)}`,
      );
      return [`${verdict}  ${inline(places)}: ${inline(answer.because.text)}`, ...refused];
    });
    return answer.allow ? 0 : 1;
  });
}

export interface GuardRunFlags extends GuardFlags {
  readonly network?: true;
  /** `NAME=VALUE` */
  readonly env?: readonly string[];
  /** Seconds, as text. */
  readonly timeLimit?: string;
  readonly allowUnsandboxed?: true;
}

/** Runs a command here with the grants of a step and nothing else; its exit status is the command's. */
export async function guardRunCommand(
  session: CliSession,
  command: readonly string[],
  flags: GuardRunFlags,
): Promise<number> {
  const { planSandbox } = await operations();
  const { cwd, network, allowUnsandboxed } = flags;
  const env = variablesOf(flags.env ?? []);
  const timeMs = flags.timeLimit === undefined ? undefined : millisecondsOf(flags.timeLimit);
  const { grants, root } = await withBackend(await session.openWorkspace(), (backend) =>
    backend.ask(planSandbox, { ...scopeOf(flags), cwd, network, env }),
  );
  if (!session.parts.isFolder(root)) {
    throw new SkillwrightError('workspace_not_found', {
      detail: `the service works on ${inline(root)}, which is no folder on this machine`,
    });
  }
  const { terminal } = session;
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const { status, enforcement, remark } = await session.parts.runGuarded({
    options: session.options(),
    root,
    command,
    grants,
    cwd,
    env,
    network,
    timeMs,
    allowUnsandboxed,
    onOutput(stream, bytes) {
      const text = decoders[stream].decode(bytes, { stream: true });
      if (stream === 'stdout') terminal.out(text);
      else terminal.err(text);
    },
  });
  if (enforcement === 'none') session.note('nothing kept the command to its grants');
  if (remark !== null) session.note(inline(remark));
  return status;
}

function variablesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1)
        throw new SkillwrightError('bad_request', { detail: `--env ${inline(text)}: NAME=VALUE is needed` });
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function millisecondsOf(seconds: string): number {
  const value = Number(seconds);
  if (seconds.trim() !== '' && value > 0 && value <= 86_400) return value * 1000;
  throw new SkillwrightError('bad_request', {
    detail: `--time-limit ${inline(seconds)}: seconds from 0 to 86400 are needed`,
  });
}

function scopeOf({ workflow, step, preset, read, write, block, blockWrite }: GuardFlags) {
  const grants = {
    ...(read && { read_paths: read }),
    ...(write && { write_paths: write }),
    ...(block && { blocked: block }),
    ...(blockWrite && { blocked_write: blockWrite }),
  };
  return { workflow_id: workflow, step_id: step, preset_id: preset, grants };
}
