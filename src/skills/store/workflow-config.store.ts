import { actorOf } from '../../events/author.js';
import { type Change } from '../../events/change.store.js';
import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';

/** The newest version of one workflow's step_config.json. */
export interface StoredConfig {
  readonly workflowId: string;
  readonly version: number;
  /** Below the workflow's folder: `step_config.json`, `planning/step_config.json`. */
  readonly path: string;
  /** Hex SHA-256 of the file, which is also the key of its bytes; null when the file was removed. */
  readonly digest: string | null;
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
  readonly findings?: readonly string[];
}

/** Reads the versions of workflow files. */
export class WorkflowConfigStore {
  constructor(private readonly database: DatabaseService) {}

  /** The newest version of each workflow. */
  current(): Promise<StoredConfig[]> {
    return this.database.run((manager) =>
      manager.query(
        `SELECT DISTINCT ON ("workflow_id") "workflow_id" AS "workflowId", "version", "path", "digest"
         FROM ${inSchema(manager, 'workflow_configs')} ORDER BY "workflow_id", "version" DESC`,
      ),
    );
  }
}

/**
 * Adds a version of a workflow's file, whose bytes were put before.
 *
 * @returns its number; null when somebody else was first
 */
export async function commitConfig(change: Change, config: NewConfig): Promise<number | null> {
  const { workflowId, path, digest, size, origin, expectedVersion } = config;
  const version = expectedVersion + 1;
  const rows: unknown[] = await change.manager.query(
    `INSERT INTO ${change.table('workflow_configs')} ("workflow_id", "version", "path", "digest", "size", "origin",
       "actor", "message")
     SELECT $1, $2::integer, $3, $4, $5, $6, $7::jsonb, $8
     WHERE $2::integer = 1 + coalesce(
       (SELECT max("version") FROM ${change.table('workflow_configs')} WHERE "workflow_id" = $1), 0)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [
      workflowId,
      version,
      path,
      digest,
      size,
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
    details: { path, ...(config.findings && { findings: config.findings }) },
  });
  change.event('workflow.updated', { workflow_id: workflowId, version });
  return version;
}
