import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';

// Bytes go in before the transaction that refers to them; none takes so long to come.
const YOUNG = `interval '1 hour'`;

/** Finds and removes bytes that no version refers to: what a crash or a lost race left behind. */
export class BlobCollection {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Removes orphans older than an hour. Bytes that are put again count as new, so whoever puts them and then refers to
   * them is never overtaken.
   *
   * @returns how many went
   * @throws SkillwrightError `db_unavailable`
   */
  async collect(): Promise<number> {
    const answer: unknown = await this.database.run((manager) =>
      manager.query(
        `WITH ${referred((name) => inSchema(manager, name))}
         DELETE FROM ${inSchema(manager, 'skill_blobs')} b WHERE b."created_at" < now() - ${YOUNG}
           AND NOT EXISTS (SELECT FROM referred r WHERE r."sha256" = b."sha256")`,
      ),
    );
    return Array.isArray(answer) ? Number(answer[1]) : 0;
  }

  /** Hashes of orphans that the hourly collection should have taken by now; the first hundred. */
  async overdue(): Promise<string[]> {
    const rows: { sha256: string }[] = await this.database.run((manager) =>
      manager.query(
        `WITH ${referred((name) => inSchema(manager, name))}
         SELECT b."sha256" FROM ${inSchema(manager, 'skill_blobs')} b WHERE b."created_at" < now() - 2 * ${YOUNG}
           AND NOT EXISTS (SELECT FROM referred r WHERE r."sha256" = b."sha256")
         ORDER BY b."sha256" LIMIT 100`,
      ),
    );
    return rows.map(({ sha256 }) => sha256);
  }
}

/** Everything that keeps bytes alive. A table that comes to refer to bytes takes its place here. */
function referred(table: (name: string) => string): string {
  return `referred AS MATERIALIZED (
    SELECT DISTINCT f->>'sha256' AS "sha256" FROM ${table('skill_versions')} v, jsonb_array_elements(v."manifest") f
    UNION SELECT "digest" FROM ${table('workflow_configs')} WHERE "digest" IS NOT NULL
  )`;
}
