import { createHash } from 'node:crypto';
import { type EntityManager } from 'typeorm';
import { actorOf, type Actor } from '../../events/author.js';
import { type Change } from '../../events/change.store.js';
import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';
import { type Finding } from '../../kernel/finding.js';

/** The newest version of one workflow's step_config.json. */
export interface StoredConfig {
  readonly workflowId: string;
  readonly version: number;
  /** Below the workflow's folder: `step_config.json`, `planning/step_config.json`. */
  readonly path: string;
  /** Hex SHA-256 of the file, which is also the key of its bytes; null when the file was removed. */
  readonly digest: string | null;
  /** What was remarkable about the version, and what still holds of earlier ones. */
  readonly findings: readonly Finding[];
}

/** One version with who made it. */
export interface ConfigVersion extends StoredConfig {
  readonly size: number;
  /** `disk`, `edit` */
  readonly origin: string;
  readonly actor: Actor;
  readonly message: string | null;
  readonly createdAt: Date;
}

export interface NewConfig {
  readonly workflowId: string;
  readonly path: string;
  readonly digest: string | null;
  readonly size: number;
  readonly origin: 'disk' | 'edit';
  /** Version that the asker saw last; 0 for none. */
  readonly expectedVersion: number;
  readonly action: string;
  readonly findings?: readonly Finding[];
  /** More for the audit row. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const COLUMNS = `"workflow_id" AS "workflowId", "version", "path", "digest", "findings"`;
const MORE_COLUMNS = `${COLUMNS}, "size", "origin", "actor", "message", "created_at" AS "createdAt"`;

/** Reads the versions of workflow files. */
export class WorkflowConfigStore {
  constructor(private readonly database: DatabaseService) {}

  /** The newest version of each workflow. */
  current(): Promise<StoredConfig[]> {
    return this.database.run((manager) => currentConfigs(manager));
  }

  /** The newest first. */
  versions(workflowId: string): Promise<ConfigVersion[]> {
    return this.database.run((manager) =>
      manager.query(
        `SELECT ${MORE_COLUMNS} FROM ${inSchema(manager, 'workflow_configs')}
         WHERE "workflow_id" = $1 ORDER BY "version" DESC`,
        [workflowId],
      ),
    );
  }

  async version(workflowId: string, version: number): Promise<ConfigVersion | null> {
    const rows: ConfigVersion[] = await this.database.run((manager) =>
      manager.query(
        `SELECT ${MORE_COLUMNS} FROM ${inSchema(manager, 'workflow_configs')}
         WHERE "workflow_id" = $1 AND "version" = $2`,
        [workflowId, version],
      ),
    );
    return rows[0] ?? null;
  }
}

/** The newest version of each workflow, or of one, as a transaction sees it. */
export function currentConfigs(manager: EntityManager, workflowId?: string): Promise<StoredConfig[]> {
  const only = workflowId === undefined ? '' : 'WHERE "workflow_id" = $1';
  return manager.query(
    `SELECT DISTINCT ON ("workflow_id") ${COLUMNS} FROM ${inSchema(manager, 'workflow_configs')} ${only}
     ORDER BY "workflow_id", "version" DESC`,
    workflowId === undefined ? [] : [workflowId],
  );
}

/** The bytes of one file inside a transaction; null when they are not there: a broken store. */
export async function readConfigBytes(change: Change, digest: string): Promise<Buffer | null> {
  const rows: { bytes: Uint8Array }[] = await change.manager.query(
    `SELECT "bytes" FROM ${change.table('skill_blobs')} WHERE "sha256" = $1`,
    [digest],
  );
  return rows[0] === undefined ? null : Buffer.from(rows[0].bytes);
}

/** Stores the bytes of one file inside a transaction. @returns their key */
export async function putConfigBytes(change: Change, bytes: Buffer): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  await change.manager.query(
    `INSERT INTO ${change.table('skill_blobs')} ("sha256", "bytes", "size") VALUES ($1, $2, $3)
     ON CONFLICT ("sha256") DO UPDATE SET "created_at" = now()`,
    [digest, bytes, bytes.length],
  );
  return digest;
}

/**
 * Adds a version of a workflow's file, whose bytes were put before.
 *
 * @returns its number; null when somebody else was first
 */
export async function commitConfig(change: Change, config: NewConfig): Promise<number | null> {
  const { workflowId, path, digest, size, origin, expectedVersion, findings = [] } = config;
  const version = expectedVersion + 1;
  const rows: unknown[] = await change.manager.query(
    `INSERT INTO ${change.table('workflow_configs')} ("workflow_id", "version", "path", "digest", "size", "findings",
       "origin", "actor", "message")
     SELECT $1::text, $2::integer, $3::text, $4::text, $5::integer, $6::jsonb, $7::text, $8::jsonb, $9::text
     WHERE $2::integer = 1 + coalesce(
       (SELECT max("version") FROM ${change.table('workflow_configs')} WHERE "workflow_id" = $1), 0)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [
      workflowId,
      version,
      path,
      digest,
      size,
      JSON.stringify(findings),
      origin,
      JSON.stringify(actorOf(change.author)),
      change.author.message,
    ],
  );
  if (rows.length === 0) return null;
  change.audit({
    action: config.action,
    subjectKind: 'workflow',
    subjectId: workflowId,
    version,
    digest,
    details: { path, ...config.details, ...(findings.length > 0 && { findings: findings.map(codeOf) }) },
  });
  change.event('workflow.updated', { workflow_id: workflowId, version });
  return version;
}

function codeOf({ code }: Finding): string {
  return code;
}
