import { type z } from 'zod';
import { type effectiveSkills } from '../../operations/workflows.operations.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { counted } from './finding-lines.js';
import { resolutionLines } from './resolution-view.js';
import { inline } from './terminal-text.js';

const operations = () => import('../../operations/workflows.operations.js');

type ResolutionInput = z.input<(typeof effectiveSkills)['input']>;

export interface StepPlace {
  readonly workflow: string;
  readonly step: string;
}

export interface ResolveFlags {
  readonly preset?: string;
  readonly strict?: true;
  readonly include?: ResolutionInput['include'];
  readonly format?: ResolutionInput['format'];
  readonly capabilities?: ResolutionInput['capabilities'];
}

/** What a step gets; exit 1 under `--strict` when it would not get everything. */
export async function resolveCommand(
  session: CliSession,
  { workflow, step }: StepPlace,
  { preset, strict, include, format, capabilities }: ResolveFlags,
): Promise<number> {
  const { effectiveSkills } = await operations();
  return withBackend(await session.openWorkspace(), async (backend) => {
    const answer = await backend.ask(effectiveSkills, {
      workflow_id: workflow,
      step_id: step,
      preset_id: preset,
      strict: strict === true,
      include,
      format,
      capabilities,
    });
    session.answer(answer, () => resolutionLines(answer, session.paint));
    return 0;
  });
}

export interface ExplainFlags {
  readonly preset?: string;
  readonly skill?: string;
}

/** Why a step gets what it gets, in sentences. */
export async function explainCommand(
  session: CliSession,
  { workflow, step }: StepPlace,
  { preset, skill }: ExplainFlags,
): Promise<number> {
  const { explainStep } = await operations();
  return withBackend(await session.openWorkspace(), async (backend) => {
    const input = { workflow_id: workflow, step_id: step, preset_id: preset, skill };
    const answer = await backend.ask(explainStep, input);
    session.answer(answer, () => answer.lines.map(inline));
    return 0;
  });
}

/** Preflight of a whole workflow; exit 1 names step, skill and reason of everything that would go wrong. */
export async function checkCommand(session: CliSession, workflow: string): Promise<number> {
  const { checkWorkflow } = await operations();
  return withBackend(await session.openWorkspace(), async (backend) => {
    const answer = await backend.ask(checkWorkflow, { workflow_id: workflow });
    session.answer(answer, () => {
      const { paint } = session;
      const lines = answer.problems.map(({ step_id, ref, code, text }) => {
        const place = step_id === null ? 'workflow' : `step ${inline(step_id)}`;
        return `${paint('red', place)}: ${ref === '' ? '' : `${inline(ref)} `}${code}: ${inline(text)}`;
      });
      const verdict = answer.ok
        ? paint('green', 'ok')
        : paint('red', counted(answer.problems.length, 'problem'));
      return [...lines, `workflow ${inline(workflow)}: ${verdict}`];
    });
    return answer.ok ? 0 : 1;
  });
}
