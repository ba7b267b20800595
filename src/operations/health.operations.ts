import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { operation } from './define.operation.js';

export const healthz = operation({
  name: 'health.live',
  summary: 'Whether the process runs.',
  role: 'agent',
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok') }),
  run: () => ({ status: 'ok' as const }),
});

const checkSchema = z.object({ state: z.string(), because: z.string().optional() });

const readySchema = z.object({
  status: z.literal('ready'),
  checks: z.object({
    catalog: checkSchema.extend({ revision: z.number().int(), skills: z.number().int() }),
    database: checkSchema.extend({ kind: z.enum(['embedded', 'postgres']) }).optional(),
  }),
});

export const readyz = operation({
  name: 'health.ready',
  summary: 'Whether questions can be answered, with the state of each part; 503 when they cannot.',
  role: 'agent',
  input: z.strictObject({}),
  output: readySchema,
  run({ catalog, database }) {
    const { revision, bySlug } = catalog.snapshot();
    const checks = {
      catalog: { state: 'up', revision, skills: bySlug.size },
      ...(database && { database: database.status() }),
    };
    if (checks.database !== undefined && checks.database.state !== 'up') {
      const detail = `the database is not available: ${checks.database.because ?? ''}`;
      throw new SkillwrightError('db_unavailable', { detail, checks, retryAfter: 2 });
    }
    return { status: 'ready' as const, checks };
  },
});
