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

function scopeOf({ workflow, step, preset, read, write, block, blockWrite }: GuardFlags) {
  const grants = {
    ...(read && { read_paths: read }),
    ...(write && { write_paths: write }),
    ...(block && { blocked: block }),
    ...(blockWrite && { blocked_write: blockWrite }),
  };
  return { workflow_id: workflow, step_id: step, preset_id: preset, grants };
}
