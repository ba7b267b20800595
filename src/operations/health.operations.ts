import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';

export const healthz = operation({
  name: 'health.live',
  summary: 'Whether the process runs.',
  role: 'agent',
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok') }),
  run: () => ({ status: 'ok' as const }),
});

const readySchema = z.object({
  status: z.enum(['ready', 'degraded']),
  checks: z.record(z.string(), z.looseObject({ state: z.string() })),
});

export const readyz = operation({
  name: 'health.ready',
  summary: 'Whether questions can be answered, with the state of each part; 503 when they cannot.',
  role: 'agent',
  input: z.strictObject({}),
  output: readySchema,
  run(context) {
    const checks = readiness(context);
    if (checks.database?.state !== 'up' && checks.database !== undefined) {
      throw new SkillwrightError('db_unavailable', { ...checks, retryAfter: 2 });
    }
    const degraded = Object.values(checks).some((check) => check?.degraded === true);
    return { status: degraded ? ('degraded' as const) : ('ready' as const), checks };
  },
});

interface Check {
  readonly state: string;
  readonly because?: string;
  readonly degraded?: boolean;
}

function readiness({ catalog, database }: OperationContext) {
  const snapshot = catalog.snapshot();
  const watch = catalog.watchState();
  return {
    catalog: { state: 'up', revision: snapshot.revision, skills: snapshot.bySlug.size },
    watcher: { ...watch, degraded: watch.state === 'polling' } satisfies Check,
    ...(database && { database: { ...database.status() } satisfies Check }),
  };
}
