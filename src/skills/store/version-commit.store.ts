import { randomUUID } from 'node:crypto';
import { actorOf, type Actor } from '../../events/author.js';
import { type Change } from '../../events/change.store.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { storableCopy } from '../../kernel/storable-json.js';
import { entryId } from '../discovery/entry-id.js';
import { type CommitRequest, type CommitResult } from './commit-request.js';
import { type NewContent } from './stored-skill.js';

interface LockedSkill {
  readonly id: string;
  readonly layer: string;
  readonly slug: string;
  readonly version: number;
  readonly deleted: boolean;
}

interface Accepted {
  readonly at: number;
  readonly id: string;
  readonly isNew: boolean;
  readonly request: CommitRequest;
  /** Number of the first version to add. */
  readonly firstVersion: number;
}

/**
 * Adds versions in the transaction of `change`. Each request stands for itself: one that finds its skill in another
 * state than expected is a conflict and leaves nothing behind, the others go through.
 *
 * @param requests whose blobs were put before; at most one for each skill
 * @returns one result for each request, in order
 */
export async function commitVersions(
  change: Change,
  requests: readonly CommitRequest[],
): Promise<CommitResult[]> {
  const results: CommitResult[] = requests.map(() => ({ kind: 'conflict' }));
  const accepted = [...(await acceptKnown(change, requests)), ...(await insertNew(change, requests))];
  if (accepted.length === 0) return results;
  await requireBlobs(change, accepted);
  await insertVersions(change, accepted);
  await updateSkills(change, accepted);
  for (const one of accepted) {
    const version = one.firstVersion + one.request.contents.length - 1;
    results[one.at] = { kind: 'committed', id: one.id, version };
    record(change, one, version);
  }
  return results;
}

/** Locks the rows that are to change, in the order of their ids, and keeps those that are as expected. */
async function acceptKnown(change: Change, requests: readonly CommitRequest[]): Promise<Accepted[]> {
  const ids = requests.flatMap(({ expected }) => (expected === null ? [] : [expected.id]));
  if (ids.length === 0) return [];
  const rows: LockedSkill[] = await change.manager.query(
    `SELECT "id", "layer", "slug", "version", "deleted_at" IS NOT NULL AS "deleted" FROM ${change.table('skills')}
     WHERE "id" = ANY($1::uuid[]) ORDER BY "id" FOR UPDATE`,
    [ids],
  );
  const locked = new Map(rows.map((row) => [row.id, row]));
  return requests.flatMap((request, at): Accepted[] => {
    const row = request.expected === null ? undefined : locked.get(request.expected.id);
    if (row === undefined || request.expected === null) return [];
    const { version, deleted } = request.expected;
    const isExpected =
      row.version === version &&
      row.deleted === deleted &&
      row.slug === request.slug &&
      row.layer === request.layer;
    return isExpected ? [{ at, id: row.id, isNew: false, request, firstVersion: version + 1 }] : [];
  });
}

async function insertNew(change: Change, requests: readonly CommitRequest[]): Promise<Accepted[]> {
  const wanted = requests.flatMap((request, at) => (request.expected === null ? [{ at, request }] : []));
  if (wanted.length === 0) return [];
  const usual = wanted.map(({ request }) => entryId(request.layer, request.slug));
  const taken: { id: string }[] = await change.manager.query(
    `SELECT "id" FROM ${change.table('skills')} WHERE "id" = ANY($1::uuid[])`,
    [usual],
  );
  const takenIds = new Set(taken.map(({ id }) => id));
  // A skill that was moved away keeps its id, so its old place gives another one.
  const ids = usual.map((id) => (takenIds.has(id) ? randomUUID() : id));
  const rows = wanted.map(({ request }, n) => {
    const content = lastOf(request);
    const isSystem = request.layer === 'bundled' || request.layer === 'builtin';
    return {
      id: ids[n],
      layer: request.layer,
      slug: request.slug,
      is_system: isSystem,
      visibility: isSystem ? 'public' : 'internal',
      owner: isSystem ? 'system' : change.author.subject,
      enabled: request.disabledReason === undefined,
      disabled_by:
        request.disabledReason === undefined
          ? null
          : { actor: actorOf(change.author), reason: request.disabledReason, at: new Date().toISOString() },
      ...columnsOf(content),
      version: request.contents.length,
    };
  });
  const made: { id: string }[] = await change.manager.query(
    `INSERT INTO ${change.table('skills')} ("id", "layer", "slug", "is_system", "visibility", "owner", "enabled",
       "disabled_by", "version", ${COLUMNS})
     SELECT "id", "layer", "slug", "is_system", "visibility", "owner", "enabled", "disabled_by", "version", ${COLUMNS}
     FROM jsonb_to_recordset($1::jsonb) AS r("id" uuid, "layer" text, "slug" text, "is_system" boolean,
       "visibility" text, "owner" text, "enabled" boolean, "disabled_by" jsonb, "version" integer, ${COLUMN_TYPES})
     ORDER BY "layer", "slug" ON CONFLICT DO NOTHING RETURNING "id"`,
    [JSON.stringify(rows)],
  );
  const madeIds = new Set(made.map(({ id }) => id));
  return wanted.flatMap(({ at, request }, n): Accepted[] => {
    const id = ids[n];
    return id !== undefined && madeIds.has(id) ? [{ at, id, isNew: true, request, firstVersion: 1 }] : [];
  });
}

/** Keeps the collector of orphans away from what this transaction refers to. */
async function requireBlobs(change: Change, accepted: readonly Accepted[]): Promise<void> {
  const hashes = new Set(
    accepted.flatMap(({ request }) =>
      request.contents.flatMap(({ manifest }) => manifest.map(({ sha256 }) => sha256)),
    ),
  );
  const rows: { n: number }[] = await change.manager.query(
    `SELECT count(*)::int AS n FROM (
       SELECT 1 FROM ${change.table('skill_blobs')} WHERE "sha256" = ANY($1) FOR KEY SHARE) AS held`,
    [[...hashes]],
  );
  if (rows[0]?.n !== hashes.size) {
    throw new SkillwrightError('internal', { detail: 'bytes of a new version were not stored before it' });
  }
}

async function insertVersions(change: Change, accepted: readonly Accepted[]): Promise<void> {
  const actor: Actor = actorOf(change.author);
  const rows = accepted.flatMap(({ id, request, firstVersion }) =>
    request.contents.map((content, n) => ({
      skill_id: id,
      version: firstVersion + n,
      digest: content.digest,
      file_hash: content.fileHash,
      name: storableCopy(content.name),
      description: storableCopy(content.description),
      frontmatter: storableCopy(content.frontmatter),
      manifest: content.manifest,
      findings: storableCopy(content.findings),
      origin: content.origin,
      provenance: content.provenance,
      actor,
      message: change.author.message,
    })),
  );
  await change.manager.query(
    `INSERT INTO ${change.table('skill_versions')} ("skill_id", "version", "digest", "file_hash", "name",
       "description", "frontmatter", "manifest", "findings", "origin", "provenance", "actor", "message")
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS r("skill_id" uuid, "version" integer, "digest" text,
       "file_hash" text, "name" text, "description" text, "frontmatter" jsonb, "manifest" jsonb, "findings" jsonb,
       "origin" text, "provenance" jsonb, "actor" jsonb, "message" text)`,
    [JSON.stringify(rows)],
  );
}

async function updateSkills(change: Change, accepted: readonly Accepted[]): Promise<void> {
  const rows = accepted
    .filter(({ isNew }) => !isNew)
    .map(({ id, request, firstVersion }) => ({
      id,
      version: firstVersion + request.contents.length - 1,
      ...columnsOf(lastOf(request)),
    }));
  if (rows.length === 0) return;
  const assignments = COLUMN_NAMES.map((name) => `"${name}" = r."${name}"`).join(', ');
  await change.manager.query(
    `UPDATE ${change.table('skills')} AS s SET "version" = r."version", "deleted_at" = NULL, "updated_at" = now(),
       ${assignments}
     FROM jsonb_to_recordset($1::jsonb) AS r("id" uuid, "version" integer, ${COLUMN_TYPES}) WHERE s."id" = r."id"`,
    [JSON.stringify(rows)],
  );
}

const COLUMN_SQL_TYPES = {
  name: 'text',
  description: 'text',
  digest: 'text',
  file_hash: 'text',
  file_path: 'text',
  tags: 'text[]',
  frontmatter: 'jsonb',
  findings: 'jsonb',
  origin: 'text',
  provenance: 'jsonb',
} as const;
const COLUMN_NAMES = Object.keys(COLUMN_SQL_TYPES);
const COLUMNS = COLUMN_NAMES.map((name) => `"${name}"`).join(', ');
const COLUMN_TYPES = Object.entries(COLUMN_SQL_TYPES)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');

/** The columns of a skill that follow from its current version. */
function columnsOf(content: NewContent): Record<keyof typeof COLUMN_SQL_TYPES, unknown> {
  return {
    name: storableCopy(content.name),
    description: storableCopy(content.description),
    digest: content.digest,
    file_hash: content.fileHash,
    file_path: content.filePath,
    tags: storableCopy(content.tags),
    frontmatter: storableCopy(content.frontmatter),
    findings: storableCopy(content.findings),
    origin: content.origin,
    provenance: content.provenance,
  };
}

function record(change: Change, { id, isNew, request }: Accepted, version: number): void {
  const { digest } = lastOf(request);
  const { slug, action } = request;
  const details = {
    layer: request.layer,
    ...(request.contents.length > 1 && { versions: request.contents.length }),
    ...(request.expected?.deleted === true && { revived: true }),
  };
  change.touch(id);
  change.audit({ action, subjectKind: 'skill', subjectId: id, slug, version, digest, details });
  change.event(isNew ? 'skill.created' : 'skill.updated', { id, slug, version });
}

function lastOf({ contents }: CommitRequest): NewContent {
  const last = contents.at(-1);
  if (last === undefined) throw new Error('a commit adds at least one version');
  return last;
}
