import { z } from 'zod';
import {
  describeProblem,
  INVARIANTS,
  type Invariant,
  type Verification,
} from '../../maintenance/verification.js';

export { describeProblem, type Verification };

const count = z.number().int();

export const verificationSchema = z.object({
  ok: z.boolean(),
  all: z.boolean().describe('Whether every version was looked at, or the current ones alone.'),
  checked: z.object({
    skills: count,
    versions: count,
    blobs: count,
    workflow_versions: count,
    audit_rows: count,
  }),
  problems: z.array(
    z.object({
      invariant: z.enum(Object.keys(INVARIANTS) as [Invariant, ...Invariant[]]),
      text: z.string(),
      subject: z.string().optional().describe('Slug of the skill or id of the workflow.'),
      layer: z.string().optional(),
      version: count.optional(),
      path: z.string().optional(),
    }),
  ),
  found: count.describe('How many problems there are; the first thousand are shown.'),
});
