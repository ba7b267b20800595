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
  status: z.enum(['ready', 'degraded']),
  checks: z.object({
    catalog: checkSchema.extend({ revision: z.number().int(), skills: z.number().int() }),
    locations: checkSchema.describe(
      '`vanished` when a folder lost so much at once that nothing was deleted.',
    ),
    watcher: checkSchema.extend({ state: z.enum(['off', 'watching', 'polling']) }),
    sandbox: checkSchema
      .extend({ state: z.enum(['bubblewrap', 'none']) })
      .describe('What keeps commands of steps to their grants on this machine.'),
    database: checkSchema.extend({ kind: z.enum(['embedded', 'postgres']) }).optional(),
  }),
});

export const readyz = operation({
  name: 'health.ready',
  summary: 'Whether questions can be answered, with the state of each part; 503 when they cannot.',
  role: 'agent',
  input: z.strictObject({}),
  output: readySchema,
  async run({ catalog, database, guard, workflows }) {
    const status = database?.status();
    if (status !== undefined && status.state !== 'up') {
      const detail = `the database is not available: ${status.because ?? ''}`;
      throw new SkillwrightError('db_unavailable', { detail, checks: { database: status }, retryAfter: 2 });
    }
    const { revision, bySlug, findings } = catalog.snapshot();
    const { kind, ...watch } = catalog.watchState();
    const { kind: enforcement, ...why } = await guard.enforcement();
    const lost = findings.filter(({ code }) => code === 'location_vanished');
    const reasons = lost.map(({ path, hint }) => `${path ?? ''}: ${hint ?? ''}`);
    const workflowsLost = workflows.vanished();
    if (workflowsLost !== null) reasons.push(`workflows: ${workflowsLost}`);
    const checks = {
      catalog: { state: 'up', revision, skills: bySlug.size },
      locations: reasons.length === 0 ? { state: 'up' } : { state: 'vanished', because: reasons.join('; ') },
      watcher: { state: kind, ...watch },
      sandbox: { state: enforcement, ...why },
      ...(status && { database: status }),
    };
    const degraded = kind === 'polling' || reasons.length > 0;
    return { status: degraded ? ('degraded' as const) : ('ready' as const), checks };
  },
});
