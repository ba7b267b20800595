import { z } from 'zod';

/** What a lock file says of one skill; `null` where its format does not. */
export interface LockedSkill {
  /** Key of the file: a name in that of the vercel CLI, a slug in ours. */
  readonly name: string;
  /** `owner/repo`, an address, or a path. */
  readonly source: string | null;
  readonly sourceType: string | null;
  /** Branch or tag that was asked for. */
  readonly ref: string | null;
  /** Full hash of the commit. */
  readonly commit: string | null;
  /** Folder in the source. */
  readonly path: string | null;
  /** `sha256:…`, see `contentDigest`. */
  readonly digest: string | null;
  /** See `computedHash`. */
  readonly computedHash: string | null;
  readonly version: number | null;
}

export type LockFileCheck =
  | {
      readonly kind: 'ok';
      /** `vercel`: skills-lock.json of the vercel CLI; `skillwright`: skillwright-lock.json. */
      readonly format: 'vercel' | 'skillwright';
      /** By name. */
      readonly skills: readonly LockedSkill[];
    }
  | { readonly kind: 'invalid'; readonly because: string };

const text = z.string().max(4096);
const vercelSchema = z.object({
  version: z.literal(1),
  skills: z.record(
    z.string().min(1).max(1024),
    z.object({
      source: text,
      sourceType: text,
      computedHash: z.string().regex(/^[0-9a-f]{64}$/),
      ref: text.optional(),
      skillPath: text.optional(),
    }),
  ),
});
const oursSchema = z.object({
  lockfile: z.literal('skillwright'),
  version: z.literal(1),
  skills: z.record(
    z.string().min(1).max(2048),
    z.object({
      version: z.number().int().nonnegative(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      source: text.optional(),
      sourceType: text.optional(),
      ref: text.optional(),
      commit: text.optional(),
      path: text.optional(),
    }),
  ),
});

/**
 * Reads `skills-lock.json` of the vercel CLI or `skillwright-lock.json`; which one it is, its content says.
 *
 * @example
 * parseLockFile('{"version":1,"skills":{}}') // { kind: 'ok', format: 'vercel', skills: [] }
 */
export function parseLockFile(source: string): LockFileCheck {
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch (error) {
    return {
      kind: 'invalid',
      because: `it is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const isOurs = typeof json === 'object' && json !== null && 'lockfile' in json;
  const parsed = isOurs ? oursSchema.safeParse(json) : vercelSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      kind: 'invalid',
      because: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not valid'}`,
    };
  }
  const skills = Object.entries<Entry>(parsed.data.skills)
    .map(([name, entry]) => lockedSkill(name, entry))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { kind: 'ok', format: isOurs ? 'skillwright' : 'vercel', skills };
}

type Text = string | undefined;

interface Entry {
  readonly source?: Text;
  readonly sourceType?: Text;
  readonly ref?: Text;
  readonly commit?: Text;
  readonly path?: Text;
  readonly skillPath?: Text;
  readonly digest?: Text;
  readonly computedHash?: Text;
  readonly version?: number | undefined;
}

function lockedSkill(name: string, entry: Entry): LockedSkill {
  return {
    name,
    source: entry.source ?? null,
    sourceType: entry.sourceType ?? null,
    ref: entry.ref ?? null,
    commit: entry.commit ?? null,
    path: entry.path ?? entry.skillPath ?? null,
    digest: entry.digest ?? null,
    computedHash: entry.computedHash ?? null,
    version: entry.version ?? null,
  };
}

/** The text of a skillwright-lock.json: sorted, without times, so that it changes only when a skill does. */
export function serializeLockFile(
  skills: readonly Pick<
    LockedSkill,
    'name' | 'version' | 'digest' | 'source' | 'sourceType' | 'ref' | 'commit' | 'path'
  >[],
): string {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries = sorted.map(({ name, ...facts }) => {
    const known = Object.entries(facts).filter(([, value]) => value !== null);
    return [name, Object.fromEntries(known)] as const;
  });
  return `${JSON.stringify({ lockfile: 'skillwright', version: 1, skills: Object.fromEntries(entries) }, null, 2)}\n`;
}
