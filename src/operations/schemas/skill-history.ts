import { z } from 'zod';
import { skillFileSchema } from './skill.js';

const versionSchema = z.object({
  version: z.number().int(),
  digest: z.string(),
  created_at: z.iso.datetime(),
  actor: z.string().describe('Name of whoever made it.'),
  actor_kind: z.enum(['user', 'service', 'step', 'system']),
  message: z.string().nullable(),
  origin: z.string(),
  labels: z.array(z.string()),
  revoked: z.string().nullable().describe('Why its bytes were revoked.'),
});

export const versionsSchema = z.object({
  versions: z.array(versionSchema).describe('Newest first.'),
  current: z.number().int(),
  labels: z.record(z.string(), z.number().int()),
});

export const skillDiffSchema = z.object({
  from: z.number().int(),
  to: z.number().int(),
  from_digest: z.string(),
  to_digest: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed', 'mode']),
      before: skillFileSchema.nullable(),
      after: skillFileSchema.nullable(),
      diff: z.string().nullable().describe('Unified; null where there is nothing to show.'),
      because: z.string().nullable().describe('Why there is no diff.'),
    }),
  ),
});
