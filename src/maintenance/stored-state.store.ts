import { type DatabaseService } from '../database/database.service.js';
import { inSchema } from '../database/migrations/in-schema.js';
import { type BlobRecord, type Problem, type VersionRecord } from './verification.js';

/** Where the next page of versions begins. */
export interface VersionCursor {
  readonly id: string;
  readonly version: number;
}

export interface ConfigRecord {
  readonly workflowId: string;
  readonly version: number;
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

const FIRST: VersionCursor = { id: '00000000-0000-0000-0000-000000000000', version: 0 };
const PAGE = 100;
// Which audit rows belong to a commit of versions: an undelete that makes none has the same name.
const IS_COMMIT = `a."subject_kind" = 'skill' AND a."details" ? 'layer'`;

type Table = (name: string) => string;

/** Reads what `verify` judges. Each question is one statement, so that it sees one moment of a living database. */
export class StoredStateStore {
  constructor(private readonly database: Pick<DatabaseService, 'run'>) {}

  /** A page of versions in the order of ids: of all skills, or the current ones of live skills. */
  versions(all: boolean, { id, version }: VersionCursor = FIRST): Promise<VersionRecord[]> {
    return this.ask(
      (table) => `SELECT s."id", s."layer", s."slug", v."version", v."digest", v."file_hash" AS "fileHash",
         v."manifest", CASE WHEN v."version" = s."version" THEN s."digest" END AS "rowDigest"
       FROM ${table('skills')} s JOIN ${table('skill_versions')} v ON v."skill_id" = s."id"
       WHERE (s."id", v."version") > ($1::uuid, $2::integer)
         AND ($3 OR (v."version" = s."version" AND s."deleted_at" IS NULL))
       ORDER BY s."id", v."version" LIMIT ${PAGE}`,
      [id, version, all],
    );
  }

  /** Every workflow file that has bytes, or the newest of each. */
  configs(all: boolean): Promise<ConfigRecord[]> {
    return this.ask(
      (table) => `SELECT "workflow_id" AS "workflowId", "version", "path", "digest" AS "sha256", "size"
       FROM ${table('workflow_configs')} w
       WHERE "digest" IS NOT NULL AND ($1 OR "version" = (
         SELECT max("version") FROM ${table('workflow_configs')} n WHERE n."workflow_id" = w."workflow_id"))
       ORDER BY "workflow_id", "version"`,
      [all],
    );
  }

  /** What lies under these hashes, by hash; the database computes each anew. */
  async blobs(hashes: readonly string[]): Promise<Map<string, BlobRecord>> {
    const rows = await this.ask<BlobRecord & { sha256: string }>(
      (table) => `SELECT "sha256", length("bytes") AS "size", encode(sha256("bytes"), 'hex') AS "actual"
       FROM ${table('skill_blobs')} WHERE "sha256" = ANY($1)`,
      [hashes],
    );
    return new Map(rows.map(({ sha256, size, actual }) => [sha256, { size, actual }]));
  }

  async counts(): Promise<{ skills: number; workflow_versions: number; audit_rows: number }> {
    const [row] = await this.ask<{ skills: number; workflow_versions: number; audit_rows: number }>(
      (table) => `SELECT (SELECT count(*)::int FROM ${table('skills')}) AS "skills",
         (SELECT count(*)::int FROM ${table('workflow_configs')}) AS "workflow_versions",
         (SELECT count(*)::int FROM ${table('audit_events')}) AS "audit_rows"`,
    );
    return row ?? { skills: 0, workflow_versions: 0, audit_rows: 0 };
  }

  /** I4 */
  gaps(): Promise<Problem[]> {
    const text = `'its versions are ' || count(v."version") || ' from ' || coalesce(min(v."version"), 0) || ' to '
      || coalesce(max(v."version"), 0)`;
    return this.ask(
      (table) => `SELECT 'I4' AS "invariant", s."slug" AS "subject", s."layer", s."version",
         ${text} || ', the current one is ' || s."version" AS "text"
       FROM ${table('skills')} s LEFT JOIN ${table('skill_versions')} v ON v."skill_id" = s."id" GROUP BY s."id"
       HAVING count(v."version") <> s."version" OR max(v."version") <> s."version" OR min(v."version") <> 1
       UNION ALL
       SELECT 'I4', v."workflow_id", NULL, max(v."version"), ${text}
       FROM ${table('workflow_configs')} v GROUP BY v."workflow_id"
       HAVING count(*) <> max(v."version") OR min(v."version") <> 1`,
    );
  }

  /** I6. Rows that were removed by age take their versions out of the question. */
  auditGaps(): Promise<Problem[]> {
    return this.ask(
      (table) => `WITH first AS (
         SELECT CASE WHEN min("id") > 1 THEN min("at") ELSE '-infinity' END AS "at" FROM ${table('audit_events')})
       SELECT 'I6' AS "invariant", s."slug" AS "subject", s."layer", v."version",
         'it stands in the audit ' || count(a."id") || ' times' AS "text"
       FROM ${table('skill_versions')} v JOIN first ON v."created_at" > first."at"
       JOIN ${table('skills')} s ON s."id" = v."skill_id"
       LEFT JOIN ${table('audit_events')} a ON ${IS_COMMIT} AND a."subject_id" = v."skill_id"::text
         AND v."version" BETWEEN a."version" - coalesce((a."details"->>'versions')::integer, 1) + 1 AND a."version"
       GROUP BY s."id", v."version" HAVING count(a."id") <> 1
       UNION ALL
       SELECT 'I6', w."workflow_id", NULL, w."version", 'it stands in the audit ' || count(a."id") || ' times'
       FROM ${table('workflow_configs')} w JOIN first ON w."created_at" > first."at"
       LEFT JOIN ${table('audit_events')} a ON a."subject_kind" = 'workflow' AND a."details" ? 'path'
         AND a."subject_id" = w."workflow_id" AND a."version" = w."version"
       GROUP BY w."workflow_id", w."version" HAVING count(a."id") <> 1
       UNION ALL
       SELECT 'I6', a."slug", a."details"->>'layer', a."version", 'the audit names a version that is not stored so'
       FROM ${table('audit_events')} a LEFT JOIN ${table('skill_versions')} v
         ON v."skill_id"::text = a."subject_id" AND v."version" = a."version"
       WHERE ${IS_COMMIT} AND v."digest" IS DISTINCT FROM a."digest"`,
    );
  }

  /** I6: no number is missing among what was told and written down. */
  numberGaps(): Promise<Problem[]> {
    return this.ask(
      (table) => `SELECT 'I6' AS "invariant", n."text" FROM ${table('counters')} c, LATERAL (
         SELECT 'audit rows are missing: ' || count(*) || ' are left of ' || min("id") || ' to ' || c."audit" AS "text"
         FROM ${table('audit_events')} HAVING c."audit" <> coalesce(max("id"), 0) OR count(*) <> max("id") - min("id") + 1
         UNION ALL
         SELECT 'events have numbers that were not given' FROM ${table('events')} HAVING max("seq") > c."seq"
         UNION ALL
         SELECT 'skills have a revision that was not given' FROM ${table('skills')}
         HAVING max("revision") > c."revision"
       ) AS n`,
    );
  }

  /** I5: writes to folders that nobody finishes. */
  staleWrites(): Promise<Problem[]> {
    return this.ask(
      (table) => `SELECT 'I5' AS "invariant", "slug" AS "subject",
         'a write to its folder is open since ' || to_char("started_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
           AS "text"
       FROM ${table('workspace_writes')} WHERE "started_at" < now() - interval '1 hour'`,
    );
  }

  /** Names of the migrations that were run. */
  async migrations(): Promise<string[]> {
    const rows = await this.ask<{ name: string }>((table) => `SELECT "name" FROM ${table('migrations')}`);
    return rows.map(({ name }) => name);
  }

  private ask<Row>(sql: (table: Table) => string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.run((manager) =>
      manager.query(
        sql((name) => inSchema(manager, name)),
        [...parameters],
      ),
    );
  }
}
