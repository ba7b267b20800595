import { z } from 'zod';
import { MAX_JSON_DEPTH, nestsTooDeep } from '../kernel/storable-json.js';
import { authorOf } from './author-of.js';
import { findingSchema } from './schemas/finding.js';
import { operation } from './define.operation.js';
import { pageInput, pageOf } from './page.js';
import { effectiveSkillsSchema, workflowListSchema, workflowSchema } from './schemas/workflow.js';

const workflowId = z.string().min(1).max(255).describe('Folder below `workflows/`.');
const stepId = z.string().min(1).max(500);
const message = z.string().max(2000).optional().describe('Why; kept in the history.');
const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => !nestsTooDeep(value), `must not be nested more than ${MAX_JSON_DEPTH} levels deep`);

const HEAVY_PARTS = ['attachments', 'file_contents', 'listing', 'folder_guard', 'tools', 'trace'] as const;

/** What every form of the main question takes. */
const resolutionInput = {
  preset_id: z.string().max(200).optional().describe('Resolve with this preset in place of the bound one.'),
  strict: z.boolean().default(false).describe('Answer 422 `skills_rejected` when a skill cannot be had.'),
  include: z
    .array(z.enum(HEAVY_PARTS))
    .optional()
    .describe(
      'Heavy parts to answer; by default attachments without file contents, listing, folder_guard and tools.',
    ),
  format: z
    .enum(['xml', 'agent-skills', 'markdown', 'lines', 'json'])
    .optional()
    .describe('How the listing is written.'),
  capabilities: z
    .array(z.enum(['browser']))
    .optional()
    .describe('What the agent can do; may bring builtin skills.'),
};

export const listWorkflows = operation({
  name: 'workflows.list',
  summary: 'Workflows: folders below `workflows/`.',
  role: 'agent',
  input: z.strictObject(pageInput),
  output: workflowListSchema,
  async run({ workflows }, page) {
    const { items, total, next_cursor } = pageOf(await workflows.list(), ({ id }) => id, page);
    return { workflows: items, total, next_cursor };
  },
});

export const getWorkflow = operation({
  name: 'workflows.get',
  summary: 'One workflow with its steps and preset.',
  role: 'agent',
  input: z.strictObject({ workflow_id: workflowId }),
  output: workflowSchema,
  run: ({ workflows }, input) => workflows.get(input.workflow_id),
});

export const bindWorkflow = operation({
  name: 'workflows.bind',
  summary: 'Binds a workflow to a preset; null unbinds it.',
  role: 'editor',
  input: z.strictObject({ workflow_id: workflowId, preset_id: z.string().max(200).nullable() }),
  output: workflowSchema,
  run: ({ workflows }, input) => workflows.bind(input.workflow_id, input.preset_id),
});

export const getStepConfig = operation({
  name: 'workflows.step_config.get',
  summary: 'step_config.json as it stands, unknown keys included.',
  role: 'agent',
  input: z.strictObject({ workflow_id: workflowId }),
  output: jsonObject,
  run: ({ workflows }, input) => workflows.readStepConfig(input.workflow_id),
});

export const replaceStepConfig = operation({
  name: 'workflows.step_config.replace',
  summary: 'Replaces step_config.json after judging it.',
  role: 'editor',
  input: z.strictObject({ workflow_id: workflowId, document: jsonObject, message }),
  output: jsonObject,
  run: ({ workflows }, { workflow_id, document, message }, call) =>
    workflows.writeStepConfig(workflow_id, document, authorOf(call, message)),
});

export const listStepConfigVersions = operation({
  name: 'workflows.step_config.versions',
  summary: 'The history of step_config.json, also of one that was removed.',
  role: 'agent',
  input: z.strictObject({ workflow_id: workflowId }),
  output: z.object({
    versions: z.array(
      z.object({
        version: z.number().int(),
        path: z.string().describe("Below the workflow's folder."),
        digest: z.string().nullable().describe('SHA-256 of the file; null: it was removed.'),
        size: z.number().int(),
        origin: z.string(),
        actor: z.string(),
        message: z.string().nullable(),
        created_at: z.iso.datetime(),
        findings: z.array(findingSchema),
      }),
    ),
  }),
  async run({ workflows }, { workflow_id }) {
    const versions = await workflows.stepConfigVersions(workflow_id);
    return {
      versions: versions.map(
        ({ version, path, digest, size, origin, actor, message, createdAt, findings }) => ({
          version,
          path,
          digest,
          size,
          origin,
          actor: actor.name,
          message,
          created_at: createdAt.toISOString(),
          findings,
        }),
      ),
    };
  },
});

export const restoreStepConfig = operation({
  name: 'workflows.step_config.restore',
  summary: 'Makes an earlier version of step_config.json the newest again.',
  role: 'editor',
  input: z.strictObject({ workflow_id: workflowId, version: z.number().int().positive(), message }),
  output: jsonObject,
  run: ({ workflows }, { workflow_id, version, message }, call) =>
    workflows.restoreStepConfig(workflow_id, version, authorOf(call, message)),
});

export const patchStep = operation({
  name: 'workflows.steps.patch',
  summary:
    'Changes the named keys of one step and leaves every other byte of the file; a new id makes a step.',
  role: 'editor',
  input: z.strictObject({ workflow_id: workflowId, step_id: stepId, patch: jsonObject, message }),
  output: jsonObject,
  run: ({ workflows }, { workflow_id, step_id, patch, message }, call) =>
    workflows.patchStep(workflow_id, step_id, patch, authorOf(call, message)),
});

export const effectiveSkills = operation({
  name: 'workflows.steps.effective_skills',
  summary:
    'The main question: which skills a step gets, with files, prompt text, read-only paths and reasons.',
  role: 'agent',
  input: z.strictObject({ workflow_id: workflowId, step_id: stepId, ...resolutionInput }),
  output: effectiveSkillsSchema,
  run: ({ workflowSkills }, { workflow_id, step_id, preset_id, ...rest }) =>
    workflowSkills.resolveStep({ workflowId: workflow_id, stepId: step_id, presetId: preset_id, ...rest }),
});

export const effectiveSkillsInline = operation({
  name: 'effective_skills.inline',
  summary: 'The same for a preset and a step given inline, or for an agent without a workflow (`allow`).',
  role: 'agent',
  input: z.strictObject({
    preset: jsonObject.nullable().optional().describe('`{selected_skills}`'),
    step: jsonObject.nullable().optional().describe('`{id, agent_configs}`'),
    allow: z
      .array(z.string().max(1000))
      .nullable()
      .optional()
      .describe("An agent's allow-list; null is all."),
    strict: resolutionInput.strict,
    include: resolutionInput.include,
    format: resolutionInput.format,
    capabilities: resolutionInput.capabilities,
  }),
  output: effectiveSkillsSchema,
  run: ({ workflowSkills }, input) => workflowSkills.resolveInline(input),
});

const explanationSchema = z.object({
  workflow_id: z.string(),
  step_id: z.string(),
  lines: z.array(z.string()).describe('Sentences, one a skill or remark.'),
});

export const explainStep = operation({
  name: 'workflows.steps.explain',
  summary: 'Why this skill, why not that one, in words.',
  role: 'agent',
  input: z.strictObject({
    workflow_id: workflowId,
    step_id: stepId,
    preset_id: resolutionInput.preset_id,
    skill: z.string().max(1000).optional().describe('Explain this skill only, chosen or not.'),
  }),
  output: explanationSchema,
  run: ({ workflowSkills }, { workflow_id, step_id, preset_id, skill }) =>
    workflowSkills.explainStep({ workflowId: workflow_id, stepId: step_id, presetId: preset_id, skill }),
});

const checkSchema = z.object({
  workflow_id: z.string(),
  ok: z.boolean(),
  problems: z.array(
    z.object({ step_id: z.string().nullable(), ref: z.string(), code: z.string(), text: z.string() }),
  ),
});

export const checkWorkflow = operation({
  name: 'workflows.check',
  summary: 'Preflight of a whole workflow: every step, every skill it names.',
  role: 'agent',
  input: z.strictObject({ workflow_id: workflowId }),
  output: checkSchema,
  run: ({ workflowSkills }, input) => workflowSkills.checkWorkflow(input.workflow_id),
});
