import { z } from 'zod';

export const findingSchema = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
    line: z.number().int().optional(),
    column: z.number().int().optional(),
    field: z.string().optional(),
    found: z.string().optional(),
    hint: z.string().optional(),
  })
  .describe('A remark; `docs/errors.md` lists the codes.');
