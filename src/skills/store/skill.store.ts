import { type EntityManager } from 'typeorm';
import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';
import { type SkillFile, type StoredSkill } from '../discovery/skill-entry.js';
import { type SkillVersion } from './stored-skill.js';

/** What points at skills, by the id of the skill. */
export interface SkillPointers {
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly revoked: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Former slugs, as `layer\0slug`, to ids. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A change of the stored skills since a revision. */
export interface SkillChanges extends SkillPointers {
  readonly skills: readonly StoredSkill[];
  /** The newest revision among everything that was committed when this was read. */
  readonly revision: number;
}

/** One version in a list, without manifest and frontmatter. */
export type VersionRow = Pick<
  SkillVersion,
  'version' | 'digest' | 'origin' | 'provenance' | 'actor' | 'message' | 'createdAt'
>;

/** Reads skills and versions. */
export class SkillStore {
  constructor(private readonly database: DatabaseService) {}

  /** @throws SkillwrightError `db_unavailable` */
  revision(): Promise<number> {
    return this.database.run((manager) => revisionOf(manager));
  }

  /**
   * Every row that changed after `since`, with all that points at it; 0 reads everything. One statement sees one
   * moment, so the revision is read first: what is committed in between is merely read again later.
   *
   * @throws SkillwrightError `db_unavailable`
   */
  changedSince(since: number): Promise<SkillChanges> {
    return this.database.run(async (manager) => {
      const revision = await revisionOf(manager);
      const rows: SkillRow[] = await manager.query(
        `SELECT "id", "layer", "slug", "version", "digest", "file_hash", "origin", "enabled", "disabled_by", "status",
           "deps", "visibility", "owner", "deleted_at" IS NOT NULL AS "deleted", "updated_at", "revision"
         FROM ${inSchema(manager, 'skills')} WHERE "revision" > $1`,
        [since],
      );
      const skills = rows.map(toSkill);
      const ids = since === 0 ? null : skills.map(({ id }) => id);
      return { revision, skills, ...(await pointersOf(manager, ids)) };
    });
  }

  /** Newest first. */
  versions(skillId: string): Promise<VersionRow[]> {
    return this.database.run(async (manager) => {
      const rows: VersionSql[] = await manager.query(
        `SELECT "version", "digest", "origin", "provenance", "actor", "message", "created_at"
         FROM ${inSchema(manager, 'skill_versions')} WHERE "skill_id" = $1 ORDER BY "version" DESC`,
        [skillId],
      );
      return rows.map(toVersionRow);
    });
  }

  async version(skillId: string, version: number): Promise<SkillVersion | null> {
    return this.database.run(async (manager) => {
      const rows: WholeVersionSql[] = await manager.query(
        `SELECT * FROM ${inSchema(manager, 'skill_versions')} WHERE "skill_id" = $1 AND "version" = $2`,
        [skillId, version],
      );
      const [row] = rows;
      return row === undefined ? null : toVersion(row);
    });
  }

  /** The newest version of a skill that has these bytes. */
  async versionByDigest(skillId: string, digest: string): Promise<SkillVersion | null> {
    return this.database.run(async (manager) => {
      const rows: WholeVersionSql[] = await manager.query(
        `SELECT * FROM ${inSchema(manager, 'skill_versions')} WHERE "skill_id" = $1 AND "digest" = $2
         ORDER BY "version" DESC LIMIT 1`,
        [skillId, digest],
      );
      const [row] = rows;
      return row === undefined ? null : toVersion(row);
    });
  }

  /** The files of any version that has this digest: equal digests mean equal files. */
  async manifest(digest: string): Promise<readonly SkillFile[] | null> {
    return this.database.run(async (manager) => {
      const rows: { manifest: SkillFile[] }[] = await manager.query(
        `SELECT "manifest" FROM ${inSchema(manager, 'skill_versions')} WHERE "digest" = $1 LIMIT 1`,
        [digest],
      );
      return rows[0]?.manifest ?? null;
    });
  }
}

async function revisionOf(manager: EntityManager): Promise<number> {
  const rows: { revision: string }[] = await manager.query(
    `SELECT "revision" FROM ${inSchema(manager, 'counters')}`,
  );
  return Number(rows[0]?.revision);
}

async function pointersOf(manager: EntityManager, ids: readonly string[] | null): Promise<SkillPointers> {
  const where = ids === null ? '' : 'WHERE "skill_id" = ANY($1::uuid[])';
  const parameters = ids === null ? [] : [ids];
  const read = <Row>(columns: string, table: string): Promise<Row[]> =>
    manager.query(`SELECT ${columns} FROM ${inSchema(manager, table)} ${where}`, parameters);
  if (ids?.length === 0) return { labels: new Map(), revoked: new Map(), aliases: new Map() };
  const labels = await read<{ skill_id: string; label: string; version: number }>(
    '"skill_id", "label", "version"',
    'labels',
  );
  const revoked = await read<{ skill_id: string; digest: string; reason: string }>(
    '"skill_id", "digest", "reason"',
    'revocations',
  );
  const aliases = await read<{ skill_id: string; layer: string; slug: string }>(
    '"skill_id", "layer", "slug"',
    'aliases',
  );
  return {
    labels: grouped(labels.map(({ skill_id, label, version }) => [skill_id, label, version])),
    revoked: grouped(revoked.map(({ skill_id, digest, reason }) => [skill_id, digest, reason])),
    aliases: new Map(aliases.map(({ layer, slug, skill_id }) => [`${layer}\0${slug}`, skill_id])),
  };
}

function grouped<T>(
  rows: readonly (readonly [id: string, key: string, value: T])[],
): Map<string, Map<string, T>> {
  const groups = new Map<string, Map<string, T>>();
  for (const [id, key, value] of rows) {
    const group = groups.get(id) ?? new Map<string, T>();
    groups.set(id, group.set(key, value));
  }
  return groups;
}

interface SkillRow {
  readonly id: string;
  readonly layer: string;
  readonly slug: string;
  readonly version: number;
  readonly digest: string;
  readonly file_hash: string | null;
  readonly origin: StoredSkill['origin'];
  readonly enabled: boolean;
  readonly disabled_by: StoredSkill['disabledBy'];
  readonly status: StoredSkill['status'];
  readonly deps: { readonly missing?: readonly string[] };
  readonly visibility: StoredSkill['visibility'];
  readonly owner: string;
  readonly deleted: boolean;
  readonly updated_at: Date;
  readonly revision: string;
}

const NONE: readonly string[] = [];

function toSkill(row: SkillRow): StoredSkill {
  return {
    id: row.id,
    layer: row.layer as StoredSkill['layer'],
    slug: row.slug,
    version: row.version,
    digest: row.digest,
    fileHash: row.file_hash,
    origin: row.origin,
    enabled: row.enabled,
    disabledBy: row.disabled_by,
    status: row.status,
    missingDeps: row.deps.missing ?? NONE,
    visibility: row.visibility,
    owner: row.owner,
    deleted: row.deleted,
    updatedAt: row.updated_at.toISOString(),
    revision: Number(row.revision),
  };
}

interface VersionSql {
  readonly version: number;
  readonly digest: string;
  readonly origin: SkillVersion['origin'];
  readonly provenance: SkillVersion['provenance'];
  readonly actor: SkillVersion['actor'];
  readonly message: string | null;
  readonly created_at: Date;
}

interface WholeVersionSql extends VersionSql {
  readonly skill_id: string;
  readonly file_hash: string;
  readonly name: string;
  readonly description: string;
  readonly manifest: SkillVersion['manifest'];
  readonly frontmatter: SkillVersion['frontmatter'];
  readonly findings: SkillVersion['findings'];
}

function toVersionRow(row: VersionSql): VersionRow {
  const { version, digest, origin, provenance, actor, message } = row;
  return { version, digest, origin, provenance, actor, message, createdAt: row.created_at.toISOString() };
}

function toVersion(row: WholeVersionSql): SkillVersion {
  const { name, description, manifest, frontmatter, findings } = row;
  return {
    ...toVersionRow(row),
    skillId: row.skill_id,
    fileHash: row.file_hash,
    name,
    description,
    manifest,
    frontmatter,
    findings,
  };
}
