import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { type RestoreReport } from '../maintenance/restore.service.js';
import { type Maintenance } from '../maintenance/maintenance.service.js';
import { operation } from './define.operation.js';
import { verificationSchema } from './schemas/verification.js';

export { type RestoreReport };

export const verifyStored = operation({
  name: 'maintenance.verify',
  summary: 'Whether everything that is stored is whole: bytes, digests, versions, audit. Changes nothing.',
  role: 'admin',
  input: z.strictObject({
    all: z.boolean().default(false).describe('Look at every version, not only at the current ones.'),
  }),
  output: verificationSchema,
  run: ({ maintenance }, request) => withDatabase(maintenance).verify(request),
});

/** What a download is made of; never JSON. */
export interface Download {
  /** Proposed to whoever saves it. */
  readonly fileName: string;
  readonly size: number;
  readonly stream: AsyncIterable<Uint8Array>;
}

export const backupStored = operation({
  name: 'maintenance.backup',
  summary: 'Everything that is stored, as of one moment, as one file for `skillwright restore`.',
  role: 'admin',
  input: z.strictObject({}),
  output: z.string().describe('gzip'),
  async run({ maintenance }): Promise<Download> {
    const day = new Date().toISOString().slice(0, 10);
    return { fileName: `skillwright-${day}.ndjson.gz`, ...(await withDatabase(maintenance).download()) };
  },
});

/** A folder by itself has nothing to be maintained. */
function withDatabase(maintenance: Maintenance | null): Maintenance {
  if (maintenance !== null) return maintenance;
  throw new SkillwrightError('db_unavailable', { detail: 'this works on a database, and here is none' });
}
