import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';

/**
 * A backup is gzip'd text, one JSON object a line: a head, the rows of each table in the order in which they can be
 * put back, the stored files, and an end that counts and hashes the lines before it.
 */
export const BACKUP_FORMAT = 1;

/**
 * Tables in a backup, what is referred to first. `skill_blobs` follows them in a form of its own.
 */
export const BACKUP_TABLES = [
  'skills',
  'skill_versions',
  'labels',
  'aliases',
  'revocations',
  'workflow_configs',
  'presets',
  'workflows',
  'seeded_presets',
  'counters',
  'audit_events',
  'events',
] as const;

/**
 * What a workspace held at its last sync is true of the database that it was synced with and no other; a restored
 * service finds out anew, by comparing.
 */
export const TABLES_LEFT_OUT = ['workspaces', 'workspace_items', 'workspace_writes', 'migrations'] as const;

export const BLOB_TABLE = 'skill_blobs';

export type BackupTable = (typeof BACKUP_TABLES)[number];

const headSchema = z.object({
  skillwright_backup: z.number().int(),
  made_at: z.string(),
  migrations: z.array(z.string()),
  /** The columns of each table. */
  tables: z.record(z.string(), z.array(z.string())),
});

export type BackupHead = z.output<typeof headSchema>;

const lineSchema = z.union([
  z.strictObject({ table: z.enum(BACKUP_TABLES), row: z.record(z.string(), z.unknown()) }),
  z.strictObject({ blob: z.string(), text: z.string() }),
  z.strictObject({ blob: z.string(), base64: z.string() }),
  z.strictObject({
    end: z.literal(true),
    rows: z.number().int(),
    blobs: z.number().int(),
    sha256: z.string(),
  }),
]);

export type BackupLine =
  | { readonly kind: 'row'; readonly table: BackupTable; readonly row: Readonly<Record<string, unknown>> }
  | { readonly kind: 'blob'; readonly sha256: string; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly rows: number; readonly blobs: number; readonly sha256: string };

export function renderHead(head: Omit<BackupHead, 'skillwright_backup'>): string {
  return JSON.stringify({ skillwright_backup: BACKUP_FORMAT, ...head });
}

/** @param row as JSON text, which is not parsed on the way */
export function renderRow(table: BackupTable, row: string): string {
  return `{"table":"${table}","row":${row}}`;
}

/** As text where that keeps every byte: it is smaller, and a person can read it. */
export function renderBlob(sha256: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes)
    ? JSON.stringify({ blob: sha256, text })
    : JSON.stringify({ blob: sha256, base64: bytes.toString('base64') });
}

export function renderEnd(end: Omit<Extract<BackupLine, { kind: 'end' }>, 'kind'>): string {
  return JSON.stringify({ end: true, ...end });
}

/**
 * Reads the first line.
 *
 * @param known names of the migrations that this release knows
 * @throws SkillwrightError `backup_invalid` when it is no backup, or one of a later release
 */
export function parseHead(line: string, known: readonly string[]): BackupHead {
  const head = headSchema.safeParse(parseJson(line)).data;
  if (head === undefined) throw invalid('it is not a backup of Skillwright');
  if (head.skillwright_backup > BACKUP_FORMAT) {
    throw invalid(
      `it has format ${head.skillwright_backup}, and this release reads up to ${BACKUP_FORMAT}; a later release made it`,
    );
  }
  const unknown = head.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw invalid(`a later release made it: migration ${unknown.join(', ')} is not known to this one`);
  }
  return head;
}

/** @throws SkillwrightError `backup_invalid` */
export function parseLine(line: string, number: number): BackupLine {
  const parsed = lineSchema.safeParse(parseJson(line)).data;
  if (parsed === undefined) throw invalid(`line ${number} is not what a backup holds`);
  if ('table' in parsed) return { kind: 'row', ...parsed };
  if ('end' in parsed) return { kind: 'end', rows: parsed.rows, blobs: parsed.blobs, sha256: parsed.sha256 };
  const bytes = 'text' in parsed ? Buffer.from(parsed.text) : Buffer.from(parsed.base64, 'base64');
  return { kind: 'blob', sha256: parsed.blob, bytes };
}

export function invalid(because: string, cause?: unknown): SkillwrightError {
  return new SkillwrightError(
    'backup_invalid',
    { detail: `the backup cannot be restored: ${because}` },
    { cause },
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
