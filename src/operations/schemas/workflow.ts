import { z } from 'zod';
import { findingSchema } from './finding.js';

export const presetOutputSchema = z
  .looseObject({
    id: z.uuid(),
    label: z.string(),
    query: z.string().nullable().optional(),
    selected_skills: z
      .array(z.string())
      .nullable()
      .optional()
      .describe('Skills of every step without its own list.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .describe('Keys that are not listed here are kept as they were sent.');

export const presetListSchema = z.object({
  presets: z.array(presetOutputSchema),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const workflowSchema = z.object({
  id: z.string(),
  preset_id: z.uuid().nullable(),
  steps: z.array(z.string()),
  findings: z.array(findingSchema),
});

export const workflowListSchema = z.object({
  workflows: z.array(workflowSchema),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const becauseSchema = z.object({
  kind: z.enum(['step', 'preset', 'inherited', 'allow_list', 'builtin', 'pointer', 'pin']),
  ref: z.string(),
  text: z.string().describe('One sentence.'),
});

const effectiveSkillSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int(),
  digest: z.string().nullable().describe('Null when the folder has not been read.'),
  because: becauseSchema,
  mode: z.enum(['offer', 'preload', 'require']),
  status: z.enum(['active', 'archived']),
  warnings: z.array(findingSchema),
  path: z.string().nullable().describe('SKILL.md below the workspace; null when it lies elsewhere.'),
  allowed_tools: z.array(z.string()).nullable(),
  model: z.string().nullable(),
  argument_hint: z.string().nullable(),
  effort: z.string().nullable(),
  context: z.string().nullable(),
  agent: z.string().nullable(),
  permissions: z.record(z.string(), z.array(z.string())).nullable(),
  user_invocable: z.boolean().nullable(),
  disable_model_invocation: z.boolean(),
});

const rejectedSchema = z.object({ ref: z.string(), code: z.string(), because: becauseSchema });

const supportingFileSchema = z.object({
  path: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  mode: z.string(),
  encoding: z.enum(['utf-8', 'base64']),
  content: z.string().nullable().optional(),
  reason: z.string().optional(),
});

const attachmentSchema = z.object({
  name: z.string(),
  description: z.string(),
  content: z.string(),
  path: z.string().nullable(),
  supporting_files: z.array(supportingFileSchema),
  source: z.looseObject({ origin: z.string() }),
});

/** The main answer. */
export const effectiveSkillsSchema = z.object({
  workflow_id: z.string().nullable(),
  step_id: z.string().nullable(),
  preset_id: z.string().nullable(),
  decided_by: z.enum(['step', 'preset', 'none', 'allow_list']),
  revision: z.number().int(),
  skills: z.array(effectiveSkillSchema),
  rejected: z.array(rejectedSchema),
  warnings: z.array(findingSchema),
  attachments: z.array(attachmentSchema).optional(),
  listing: z
    .object({
      mode: z.enum(['inline', 'search', 'none']),
      format: z.string(),
      text: z.string(),
      tokens: z.number().int(),
      count: z.number().int().describe('Skills that are offered, named in the text or not.'),
      cut: z
        .array(z.object({ what: z.string(), count: z.number().int(), slugs: z.array(z.string()) }))
        .describe('What was left out to keep the budget.'),
    })
    .optional(),
  prompt: z.object({ text: z.string(), tokens: z.number().int(), preloaded: z.array(z.string()) }).optional(),
  folder_guard: z.object({ read_paths: z.array(z.string()), write_paths: z.array(z.string()) }).optional(),
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string(),
        input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the input.'),
      }),
    )
    .optional(),
  trace: z.array(z.unknown()).optional(),
});
