import { type CliSession, withBackend } from './cli-session.service.js';
import { openSkills } from './skills.commands.js';
import { triggerLines } from './trigger-check-view.js';

export interface TriggerCheckFlags {
  readonly prompt: readonly string[];
  readonly description?: string;
  readonly workflow?: string;
  readonly step?: string;
}

/** Places that a model still looks at. */
const SEEN = 5;

/** Whether a description brings its skill up; exit 1 when it does not stand among the first five for a prompt. */
export async function triggerCheckCommand(
  session: CliSession,
  slug: string,
  { prompt, description, workflow, step }: TriggerCheckFlags,
): Promise<number> {
  const { checkSkillTriggers } = await import('../../operations/trigger-check.operations.js');
  const { backend } = await openSkills(session, { skills: true });
  return withBackend(backend, async () => {
    const answer = await backend.ask(checkSkillTriggers, {
      slug,
      prompts: [...prompt],
      ...(description !== undefined && { description }),
      ...(workflow !== undefined && { workflow_id: workflow }),
      ...(step !== undefined && { step_id: step }),
    });
    session.answer(answer, () => triggerLines(answer, session.terminal.width, session.paint));
    return answer.prompts.every(({ rank }) => rank !== null && rank <= SEEN) ? 0 : 1;
  });
}
