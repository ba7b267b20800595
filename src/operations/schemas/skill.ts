import { z } from 'zod';
import { findingSchema } from './finding.js';

/** A row of the skills list, for people. */
export const skillRowSchema = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int(),
  digest: z
    .string()
    .nullable()
    .describe('`sha256:` over paths, modes and bytes of the folder; null while it is not stored.'),
  is_system: z.boolean().describe('True for bundled and builtin skills.'),
  builtin: z.boolean(),
  status: z.enum(['active', 'archived']),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable().describe('Why it is switched off.'),
  availability: z.enum(['available', 'degraded', 'disabled', 'shadowed', 'invalid', 'revoked', 'deleted']),
  visibility: z.enum(['private', 'internal', 'public']),
  layer: z.string(),
  source: z.string().describe('Label of the location it was found in.'),
  origin: z.enum(['disk', 'github', 'zip', 'bundled', 'builtin', 'builder']),
  author: z.string().nullable(),
  tags: z.array(z.string()),
  file_path: z.string(),
  shadowed_by: z.uuid().nullable(),
  disable_model_invocation: z.boolean(),
  user_invocable: z.boolean().nullable(),
  missing_deps: z.array(z.string()),
  updated_at: z.iso.datetime().nullable(),
  findings_count: z.number().int(),
  used_by_count: z.number().int().describe('Presets and steps that name it.'),
  findings: z.array(findingSchema).optional(),
});

const usageSchema = z.object({
  kind: z.enum(['preset', 'step']),
  preset_id: z.uuid().optional(),
  workflow_id: z.string().optional(),
  step_id: z.string().optional(),
  label: z.string(),
});

/** One skill, whole. */
export const skillSchema = skillRowSchema.extend({
  file_hash: z.string().nullable().describe('SHA-256 of SKILL.md alone.'),
  revision: z.number().int(),
  content: z.string().optional().describe('Text of SKILL.md, whole.'),
  frontmatter: z.record(z.string(), z.unknown()).nullable().optional(),
  usage: z.array(usageSchema).optional(),
});

export const skillListSchema = z.object({
  skills: z.array(skillRowSchema),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
  revision: z.number().int(),
  findings: z.array(findingSchema).describe('Remarks about locations and folders that are no skill.'),
});

export const skillFileSchema = z.object({
  path: z.string(),
  name: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  mode: z.enum(['0644', '0755']),
  kind: z.enum(['skill', 'text', 'binary']),
});

export const skillFilesSchema = z.object({ files: z.array(skillFileSchema), digest: z.string() });

export const skillFileContentSchema = skillFileSchema.extend({
  encoding: z.enum(['utf-8', 'base64']),
  content: z.string(),
});
