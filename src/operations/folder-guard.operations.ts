import { z } from 'zod';
import { type AccessDecision } from '../folder-guard/decide-access.js';
import { addGrants, type GuardGrants } from '../folder-guard/guard-grants.js';
import { SkillwrightError } from '../kernel/errors.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';
import {
  accessDecisionSchema,
  accessQuestionSchema,
  sandboxLaunchSchema,
  sandboxQuestionSchema,
} from './schemas/folder-guard.js';

const QUESTION =
  '`{operation, path, to?, cwd?, workflow_id?, step_id?, preset_id?, grants?}`; grants are ' +
  '`{read_paths, write_paths, blocked, blocked_write}`, added to the skills of the step.';

/** The wire promises an answer to any body, so types are judged inside the operation. */
export const checkAccess = operation({
  name: 'folder_guard.check',
  summary:
    'Whether a step may touch a path, and why. Always 200: whatever is not understood is `allow: false`.',
  role: 'agent',
  input: z.strictObject({ question: z.union([accessQuestionSchema, z.unknown()]).describe(QUESTION) }),
  output: accessDecisionSchema,
  async run(context, { question }): Promise<AccessDecision> {
    const parsed = accessQuestionSchema.safeParse(question);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = issue?.path.join('.') ?? '';
      return denied(
        'bad_request',
        `${field === '' ? 'the question' : field}: ${issue?.message ?? 'not known'}`,
      );
    }
    const { operation, path, to, cwd, ...scope } = parsed.data;
    try {
      return context.guard.check({ operation, path, to, cwd }, await grantsFor(context, scope));
    } catch (error) {
      // A step that cannot be resolved has no grants; a mistake of ours is none of the caller's business.
      return denied(
        'error',
        SkillwrightError.is(error) ? error.message : 'the grants of the step are not known',
        path,
      );
    }
  },
});

export const planSandbox = operation({
  name: 'folder_guard.sandbox',
  summary:
    "How to launch a command with a step's grants and nothing else: arguments for bubblewrap, mounts for a container.",
  // The answer names places of the host.
  role: 'service',
  input: sandboxQuestionSchema,
  output: sandboxLaunchSchema,
  async run(context, { cwd, network, env, ...scope }) {
    const grants = await grantsFor(context, scope);
    return { ...context.guard.launch({ grants, cwd, network, env }), grants };
  },
});

interface GrantScope {
  readonly workflow_id?: string | undefined;
  readonly step_id?: string | undefined;
  readonly preset_id?: string | undefined;
  readonly grants?: GuardGrants | undefined;
}

async function grantsFor({ workflowSkills }: OperationContext, scope: GrantScope): Promise<GuardGrants> {
  const { workflow_id: workflowId, step_id: stepId, preset_id: presetId, grants = {} } = scope;
  if (workflowId === undefined || stepId === undefined) return grants;
  return addGrants(await workflowSkills.stepGrants({ workflowId, stepId, presetId }), grants);
}

function denied(kind: 'bad_request' | 'error', text: string, path = ''): AccessDecision {
  return { allow: false, because: { kind, text }, path, refused: [] };
}
