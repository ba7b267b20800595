import { createHash } from 'node:crypto';
import { type DatabaseService } from '../../src/database/database.service.js';
import { inSchema } from '../../src/database/migrations/in-schema.js';
import { type SkillFile } from '../../src/skills/discovery/skill-entry.js';
import { contentDigest } from '../../src/skills/format/content-digest.js';

interface VersionFacts {
  readonly version: number;
  readonly by: string;
  readonly codes: readonly string[];
}

/** Those first that refer to others. */
const TABLES = [
  'labels',
  'aliases',
  'revocations',
  'skill_versions',
  'skills',
  'skill_blobs',
  'workspace_writes',
  'workspace_items',
  'workspaces',
  'audit_events',
  'events',
];

/** What stands in the tables, asked for past every layer that could keep a wrong copy of it. */
export class StoredFacts {
  constructor(private readonly database: () => DatabaseService) {}

  /** @param sql with `{name}` for a table */
  query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.database().run(async (manager) => {
      const named = sql.replace(/\{(\w+)\}/g, (_, name: string) => inSchema(manager, name));
      return manager.query<Row[]>(named, parameters);
    });
  }

  async clear(): Promise<void> {
    // For tables that hold next to nothing much quicker than TRUNCATE.
    await this.query(TABLES.map((name) => `DELETE FROM {${name}}`).join('; '));
  }

  /** `slug v2`, with what is unusual about the row; by layer and slug. */
  async rows(): Promise<string[]> {
    const rows = await this.query<{ slug: string; version: number; enabled: boolean; deleted: boolean }>(
      `SELECT "slug", "version", "enabled", "deleted_at" IS NOT NULL AS "deleted" FROM {skills}
       ORDER BY "layer", "slug", "deleted_at" NULLS FIRST`,
    );
    return rows.map(
      ({ slug, version, enabled, deleted }) =>
        `${slug} v${version}${enabled ? '' : ' disabled'}${deleted ? ' deleted' : ''}`,
    );
  }

  /** Oldest first: number, who made it, and the codes of remarks about the sync. */
  async history(slug: string): Promise<VersionFacts[]> {
    const rows = await this.query<{
      version: number;
      actor: { subject: string };
      findings: { code: string }[];
    }>(
      `SELECT v."version", v."actor", v."findings" FROM {skill_versions} v JOIN {skills} s ON s."id" = v."skill_id"
       WHERE s."slug" = $1 ORDER BY v."version"`,
      [slug],
    );
    return rows.map(({ version, actor, findings }) => ({
      version,
      by: actor.subject,
      codes: findings.map(({ code }) => code).filter((code) => code.startsWith('sync_')),
    }));
  }

  /** Text of a file in one version. */
  async textOf(slug: string, version: number, path = 'SKILL.md'): Promise<string> {
    const [row] = await this.query<{ bytes: Uint8Array }>(
      `SELECT b."bytes" FROM {skill_versions} v JOIN {skills} s ON s."id" = v."skill_id"
       CROSS JOIN LATERAL jsonb_to_recordset(v."manifest") AS f("path" text, "sha256" text)
       JOIN {skill_blobs} b ON b."sha256" = f."sha256"
       WHERE s."slug" = $1 AND v."version" = $2 AND f."path" = $3`,
      [slug, version, path],
    );
    if (row === undefined) throw new Error(`version ${version} of ${slug} has no ${path}`);
    return Buffer.from(row.bytes).toString('utf8');
  }

  /** `action slug version`, oldest first. */
  async audit(): Promise<string[]> {
    const rows = await this.query<{ action: string; slug: string; version: number }>(
      'SELECT "action", "slug", "version" FROM {audit_events} ORDER BY "id"',
    );
    return rows.map(({ action, slug, version }) => `${action} ${slug} ${version}`);
  }

  /** What every change moves on, and nothing else does. */
  async counters(): Promise<unknown> {
    const [row] = await this.query('SELECT "revision", "seq", "audit" FROM {counters}');
    return row;
  }

  /** The time that a holder of a lease has is over, as after a crash and a while. */
  async expireLeases(): Promise<void> {
    await this.query(`UPDATE {workspaces} SET "lease_until" = now() - interval '1 second'`);
  }

  async openWrites(): Promise<string[]> {
    const rows = await this.query<{ slug: string }>('SELECT "slug" FROM {workspace_writes} ORDER BY 1');
    return rows.map(({ slug }) => slug);
  }

  /** Everything that must be true of the store at any moment; empty when it is. */
  async violations(): Promise<string[]> {
    const versions = await this.query<{
      id: string;
      slug: string;
      version: number;
      digest: string;
      manifest: SkillFile[];
      current: number;
      row: string;
      nth: string;
    }>(
      `SELECT s."id", s."slug", v."version", v."digest", v."manifest", s."version" AS "current", s."digest" AS "row",
         row_number() OVER (PARTITION BY s."id" ORDER BY v."version") AS "nth"
       FROM {skills} s LEFT JOIN {skill_versions} v ON v."skill_id" = s."id" ORDER BY s."slug", v."version"`,
    );
    const blobs = await this.query<{ sha256: string; bytes: Uint8Array }>(
      'SELECT "sha256", "bytes" FROM {skill_blobs}',
    );
    const sound = new Set(
      blobs.flatMap(({ sha256, bytes }) =>
        createHash('sha256').update(bytes).digest('hex') === sha256 ? [sha256] : [],
      ),
    );
    const wrong: string[] = [];
    const last = new Map<string, (typeof versions)[number]>();
    for (const row of versions) {
      const what = `${row.slug} v${row.version}`;
      if (Number(row.nth) !== row.version) wrong.push(`${what} is not the next number`);
      if (contentDigest(row.manifest) !== row.digest) wrong.push(`${what} has another digest than its files`);
      if (!row.manifest.every(({ sha256 }) => sound.has(sha256))) wrong.push(`${what} lacks bytes`);
      last.set(row.id, row);
    }
    for (const { slug, version, digest, current, row } of last.values()) {
      if (version !== current || digest !== row) wrong.push(`${slug} does not stand at its last version`);
    }
    return wrong;
  }
}
