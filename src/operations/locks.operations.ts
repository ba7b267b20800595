import { z } from 'zod';
import { computedHash } from '../github-import/lock/computed-hash.js';
import { type LockedSkill, parseLockFile, serializeLockFile } from '../github-import/lock/lock-file.js';
import { SkillwrightError } from '../kernel/errors.js';
import { findSkill } from '../skills/catalog/find-skill.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { operation } from './define.operation.js';
import { type OperationContext } from './operation-context.service.js';

const verdictSchema = z.object({
  name: z.string(),
  state: z.enum(['same', 'changed', 'missing']),
  expected: z.string().describe('Hash or digest of the lock file.'),
  found: z.string().nullable(),
});

export type LockVerdict = z.output<typeof verdictSchema>;

export const verifyLock = operation({
  name: 'locks.verify',
  summary: 'Whether the skills are those of a lock file.',
  role: 'agent',
  input: z.strictObject({ text: z.string().describe('A skills-lock.json or skillwright-lock.json.') }),
  output: z.object({
    format: z.enum(['vercel', 'skillwright']),
    valid: z.boolean(),
    skills: z.array(verdictSchema),
  }),
  async run(context, { text }) {
    const lock = parseLockFile(text);
    if (lock.kind === 'invalid') throw new SkillwrightError('lock_invalid', { detail: lock.because });
    const skills: LockVerdict[] = [];
    for (const locked of lock.skills) skills.push(await verify(context, locked));
    return { format: lock.format, valid: skills.every(({ state }) => state === 'same'), skills };
  },
});

export const writeLock = operation({
  name: 'locks.write',
  summary: 'A skillwright-lock.json of the skills of the workspace.',
  role: 'agent',
  input: z.strictObject({}),
  output: z.object({ text: z.string(), count: z.number().int() }),
  async run({ catalog }) {
    const locked: LockedSkill[] = [];
    for (const entry of catalog.snapshot().entries) {
      if (entry.layer !== 'workspace' || entry.version === 0 || entry.shadowedBy !== null) continue;
      const { digest } = await catalog.content(entry);
      locked.push({ ...NOTHING_KNOWN, name: entry.slug, version: entry.version, digest });
    }
    return { text: serializeLockFile(locked), count: locked.length };
  },
});

const NOTHING_KNOWN = {
  source: null,
  sourceType: null,
  ref: null,
  commit: null,
  path: null,
  computedHash: null,
} as const;

async function verify(context: OperationContext, locked: LockedSkill): Promise<LockVerdict> {
  const { name, digest, computedHash: hash } = locked;
  const expected = digest ?? hash ?? '';
  const match = findSkill(context.catalog.snapshot(), name);
  if (match.kind !== 'found' || match.entry.version === 0)
    return { name, state: 'missing', expected, found: null };
  const found =
    digest === null
      ? await hashOf(context, match.entry)
      : (await context.catalog.content(match.entry)).digest;
  return { name, state: found === expected ? 'same' : 'changed', expected, found };
}

async function hashOf({ catalog }: OperationContext, entry: SkillEntry): Promise<string> {
  const { files } = await catalog.content(entry);
  const whole: { path: string; bytes: Buffer }[] = [];
  for (const { path } of files) whole.push(await catalog.readFile(entry, path));
  return computedHash(whole);
}
