import { actorOf } from '../../events/author.js';
import { type Change } from '../../events/change.store.js';
import { type StoredSkill } from '../discovery/skill-entry.js';

type SkillKey = Pick<StoredSkill, 'id' | 'slug' | 'version' | 'digest'>;

/** Whether the row was as expected and is changed now. */
export type StateChange = { readonly kind: 'changed' } | { readonly kind: 'unchanged' };

const CHANGED: StateChange = { kind: 'changed' };
const UNCHANGED: StateChange = { kind: 'unchanged' };

/** Switches a skill on or off. Off needs a reason; on forgets it. */
export async function setEnabled(
  change: Change,
  skill: SkillKey,
  to: { readonly enabled: true } | { readonly enabled: false; readonly reason: string },
): Promise<StateChange> {
  const disabledBy = to.enabled
    ? null
    : { actor: actorOf(change.author), reason: to.reason, at: new Date().toISOString() };
  const rows = await update(
    change,
    skill,
    `"enabled" = $2, "disabled_by" = $3::jsonb, "updated_at" = now()`,
    `"enabled" <> $2 AND "deleted_at" IS NULL`,
    [to.enabled, disabledBy === null ? null : JSON.stringify(disabledBy)],
  );
  if (rows === 0) return UNCHANGED;
  const { id, slug, version } = skill;
  record(
    change,
    to.enabled ? 'skill.enable' : 'skill.disable',
    skill,
    to.enabled ? {} : { reason: to.reason },
  );
  change.event('skill.toggled', { id, slug, version, enabled: to.enabled });
  return CHANGED;
}

/** Deletes softly: versions and bytes stay, and the slug is free. */
export async function deleteSkill(change: Change, skill: SkillKey): Promise<StateChange> {
  const rows = await update(
    change,
    skill,
    `"deleted_at" = now(), "updated_at" = now()`,
    `"deleted_at" IS NULL AND "version" = $2`,
    [skill.version],
  );
  if (rows === 0) return UNCHANGED;
  const { id, slug, version } = skill;
  record(change, 'skill.delete', skill);
  change.event('skill.deleted', { id, slug, version });
  return CHANGED;
}

/** Brings a deleted skill back with the version that it had. */
export async function undeleteSkill(change: Change, skill: SkillKey): Promise<StateChange> {
  const rows = await update(
    change,
    skill,
    `"deleted_at" = NULL, "updated_at" = now()`,
    `"deleted_at" IS NOT NULL AND "version" = $2 AND NOT EXISTS (
       SELECT 1 FROM ${change.table('skills')} o
       WHERE o."layer" = s."layer" AND o."slug" = s."slug" AND o."deleted_at" IS NULL)`,
    [skill.version],
  );
  if (rows === 0) return UNCHANGED;
  const { id, slug, version } = skill;
  record(change, 'skill.undelete', skill);
  change.event('skill.created', { id, slug, version });
  return CHANGED;
}

/** Fills in the hash of SKILL.md in rows that were stored without one; no version, no event. */
export async function backfillFileHashes(change: Change): Promise<void> {
  const rows = await returned(
    change,
    `UPDATE ${change.table('skills')} AS s SET "file_hash" = v."file_hash"
     FROM ${change.table('skill_versions')} v
     WHERE s."file_hash" IS NULL AND v."skill_id" = s."id" AND v."version" = s."version" RETURNING s."id"`,
    [],
  );
  for (const row of rows) change.touch((row as { id: string }).id);
}

/** Says who may see a skill besides its owner. */
export async function setVisibility(
  change: Change,
  skill: SkillKey,
  visibility: StoredSkill['visibility'],
): Promise<StateChange> {
  const rows = await update(
    change,
    skill,
    `"visibility" = $2, "updated_at" = now()`,
    `"visibility" <> $2 AND "deleted_at" IS NULL`,
    [visibility],
  );
  if (rows === 0) return UNCHANGED;
  const { id, slug, version } = skill;
  record(change, 'skill.visibility', skill, { visibility });
  change.event('skill.updated', { id, slug, version });
  return CHANGED;
}

/** Points a label at a version, or takes it away. */
export async function setLabel(
  change: Change,
  skill: SkillKey,
  label: string,
  version: number | null,
): Promise<StateChange> {
  const table = change.table('labels');
  const rows: unknown[] =
    version === null
      ? await returned(change, `DELETE FROM ${table} WHERE "skill_id" = $1 AND "label" = $2 RETURNING 1`, [
          skill.id,
          label,
        ])
      : await returned(
          change,
          `INSERT INTO ${table} AS l ("skill_id", "label", "version") VALUES ($1, $2, $3)
           ON CONFLICT ("skill_id", "label") DO UPDATE SET "version" = $3, "updated_at" = now()
           WHERE l."version" <> $3 RETURNING 1`,
          [skill.id, label, version],
        );
  if (rows.length === 0) return UNCHANGED;
  record(change, version === null ? 'skill.unlabel' : 'skill.label', skill, {
    label,
    label_version: version,
  });
  change.event('skill.labeled', { id: skill.id, slug: skill.slug, version: skill.version, label });
  return CHANGED;
}

/** Takes bytes out of use for good, whichever version carries them. */
export async function revokeDigest(
  change: Change,
  skill: SkillKey,
  digest: string,
  reason: string,
): Promise<StateChange> {
  const rows = await returned(
    change,
    `INSERT INTO ${change.table('revocations')} ("skill_id", "digest", "reason", "actor")
     VALUES ($1, $2, $3, $4::jsonb) ON CONFLICT DO NOTHING RETURNING 1`,
    [skill.id, digest, reason, JSON.stringify(actorOf(change.author))],
  );
  if (rows.length === 0) return UNCHANGED;
  const { id, slug, version } = skill;
  record(change, 'skill.revoke', skill, { revoked_digest: digest, reason });
  change.event('skill.revoked', { id, slug, version, revoked_digest: digest });
  return CHANGED;
}

/** Gives a skill another slug in its layer; the old one goes on leading to it. */
export async function moveSkill(
  change: Change,
  skill: SkillKey & Pick<StoredSkill, 'layer'>,
  to: { readonly slug: string; readonly filePath: string },
): Promise<StateChange> {
  const { id, layer, slug, version } = skill;
  const rows = await update(
    change,
    skill,
    `"slug" = $2, "file_path" = $3, "updated_at" = now()`,
    `"deleted_at" IS NULL AND "version" = $4 AND NOT EXISTS (
       SELECT 1 FROM ${change.table('skills')} o
       WHERE o."layer" = s."layer" AND o."slug" = $2 AND o."deleted_at" IS NULL)`,
    [to.slug, to.filePath, version],
  );
  if (rows === 0) return UNCHANGED;
  const aliases = change.table('aliases');
  const lost = await returned(
    change,
    `DELETE FROM ${aliases} WHERE "layer" = $1 AND "slug" IN ($2, $3) RETURNING "skill_id"`,
    [layer, slug, to.slug],
  );
  // Replicas read again what leads to a skill only when its row was touched.
  for (const row of lost) change.touch((row as { skill_id: string }).skill_id);
  await change.manager.query(`INSERT INTO ${aliases} ("layer", "slug", "skill_id") VALUES ($1, $2, $3)`, [
    layer,
    slug,
    id,
  ]);
  record(change, 'skill.move', { ...skill, slug: to.slug }, { from: slug });
  change.event('skill.moved', { id, slug: to.slug, version, from: slug });
  return CHANGED;
}

async function update(
  change: Change,
  skill: SkillKey,
  assignments: string,
  condition: string,
  parameters: readonly unknown[],
): Promise<number> {
  const rows = await returned(
    change,
    `UPDATE ${change.table('skills')} AS s SET ${assignments} WHERE s."id" = $1 AND ${condition} RETURNING 1`,
    [skill.id, ...parameters],
  );
  return rows.length;
}

/** TypeORM answers `[rows, count]` to statements that change something. */
async function returned(change: Change, sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
  const answer: unknown = await change.manager.query(sql, [...parameters]);
  if (!Array.isArray(answer)) return [];
  const rows = answer as unknown[];
  return Array.isArray(rows[0]) ? (rows[0] as unknown[]) : rows;
}

function record(
  change: Change,
  action: string,
  { id, slug, version, digest }: SkillKey,
  details: Readonly<Record<string, unknown>> = {},
): void {
  change.touch(id);
  change.audit({ action, subjectKind: 'skill', subjectId: id, slug, version, digest, details });
}
