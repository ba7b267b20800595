import { type EntityManager } from 'typeorm';
import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';

export type ItemKind = 'skill' | 'workflow';

/** What a workspace held of one item when it was last in step with the catalogue. */
export interface SyncedItem {
  readonly kind: ItemKind;
  /** Empty for workflows. */
  readonly layer: string;
  readonly slug: string;
  readonly digest: string;
  /** What the folder looked like then, without its bytes; null when it could change again unseen. */
  readonly fingerprint: string | null;
}

/** A write to a working copy that was begun. */
export interface OpenWrite {
  readonly kind: ItemKind;
  readonly slug: string;
  /** Null: there was nothing. */
  readonly from: string | null;
  /** Null: the item is being removed. */
  readonly to: string | null;
}

/** What is written down together. */
export interface JournalEntry {
  readonly set?: readonly SyncedItem[];
  readonly forget?: readonly ItemKey[];
  readonly open?: readonly OpenWrite[];
  readonly close?: readonly Pick<OpenWrite, 'kind' | 'slug'>[];
}

export type ItemKey = Pick<SyncedItem, 'kind' | 'layer' | 'slug'>;

/** What workspaces hold, what is being written to them, and who may sync them now. */
export class WorkspaceStore {
  constructor(private readonly database: DatabaseService) {}

  /** Makes the workspace known. */
  async register(id: string, machine: string): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        `INSERT INTO ${inSchema(manager, 'workspaces')} ("id", "machine") VALUES ($1, $2)
         ON CONFLICT ("id") DO UPDATE SET "seen_at" = now(), "machine" = $2`,
        [id, machine],
      ),
    );
  }

  /**
   * Takes or renews the right to sync a workspace for some seconds; no transaction is held meanwhile.
   *
   * @returns `new` when another process may have synced it since the holder had it last
   */
  async lease(id: string, holder: string, seconds: number): Promise<'renewed' | 'new' | 'refused'> {
    const answer: unknown = await this.database.run((manager) =>
      manager.query(
        `UPDATE ${inSchema(manager, 'workspaces')} AS w
         SET "lease_holder" = $2, "lease_until" = now() + make_interval(secs => $3), "seen_at" = now()
         FROM (SELECT "lease_holder" AS "before" FROM ${inSchema(manager, 'workspaces')}
               WHERE "id" = $1 FOR UPDATE) AS b
         WHERE w."id" = $1 AND (b."before" = $2 OR w."lease_until" IS NULL OR w."lease_until" < now())
         RETURNING b."before"`,
        [id, holder, seconds],
      ),
    );
    const [row] = Array.isArray(answer) ? ((answer[0] ?? []) as { before: string | null }[]) : [];
    if (row === undefined) return 'refused';
    return row.before === holder ? 'renewed' : 'new';
  }

  async release(id: string, holder: string): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        `UPDATE ${inSchema(manager, 'workspaces')} SET "lease_holder" = NULL, "lease_until" = NULL
         WHERE "id" = $1 AND "lease_holder" = $2`,
        [id, holder],
      ),
    );
  }

  items(id: string): Promise<SyncedItem[]> {
    return this.database.run((manager) =>
      manager.query(
        `SELECT "kind", "layer", "slug", "digest", "fingerprint" FROM ${inSchema(manager, 'workspace_items')}
         WHERE "workspace_id" = $1`,
        [id],
      ),
    );
  }

  openWrites(id: string): Promise<OpenWrite[]> {
    return this.database.run((manager) =>
      manager.query(
        `SELECT "kind", "slug", "from_digest" AS "from", "to_digest" AS "to"
         FROM ${inSchema(manager, 'workspace_writes')} WHERE "workspace_id" = $1`,
        [id],
      ),
    );
  }
}

/** Writes an entry of the journal of one workspace. */
export async function saveJournal(
  manager: EntityManager,
  workspaceId: string,
  { set = [], forget = [], open = [], close = [] }: JournalEntry,
): Promise<void> {
  await setItems(manager, workspaceId, set);
  await forgetItems(manager, workspaceId, forget);
  for (const write of close) await closeWrite(manager, workspaceId, write);
  for (const write of open) await openWrite(manager, workspaceId, write);
}

async function setItems(
  manager: EntityManager,
  workspaceId: string,
  items: readonly SyncedItem[],
): Promise<void> {
  if (items.length === 0) return;
  await manager.query(
    `INSERT INTO ${inSchema(manager, 'workspace_items')} AS w
       ("workspace_id", "kind", "layer", "slug", "digest", "fingerprint")
     SELECT $1, "kind", "layer", "slug", "digest", "fingerprint" FROM jsonb_to_recordset($2::jsonb)
       AS r("kind" text, "layer" text, "slug" text, "digest" text, "fingerprint" text)
     ON CONFLICT ("workspace_id", "kind", "layer", "slug") DO UPDATE
     SET "digest" = excluded."digest", "fingerprint" = excluded."fingerprint", "synced_at" = now()`,
    [workspaceId, JSON.stringify(items)],
  );
}

async function forgetItems(
  manager: EntityManager,
  workspaceId: string,
  keys: readonly ItemKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await manager.query(
    `DELETE FROM ${inSchema(manager, 'workspace_items')} AS w
     USING jsonb_to_recordset($2::jsonb) AS r("kind" text, "layer" text, "slug" text)
     WHERE w."workspace_id" = $1 AND w."kind" = r."kind" AND w."layer" = r."layer" AND w."slug" = r."slug"`,
    [workspaceId, JSON.stringify(keys)],
  );
}

/** An open one of the same item goes on from where it began. */
async function openWrite(
  manager: EntityManager,
  workspaceId: string,
  { kind, slug, from, to }: OpenWrite,
): Promise<void> {
  await manager.query(
    `INSERT INTO ${inSchema(manager, 'workspace_writes')} ("workspace_id", "kind", "slug", "from_digest", "to_digest")
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("workspace_id", "kind", "slug") DO UPDATE SET "to_digest" = $5`,
    [workspaceId, kind, slug, from, to],
  );
}

async function closeWrite(
  manager: EntityManager,
  workspaceId: string,
  { kind, slug }: Pick<OpenWrite, 'kind' | 'slug'>,
): Promise<void> {
  await manager.query(
    `DELETE FROM ${inSchema(manager, 'workspace_writes')}
     WHERE "workspace_id" = $1 AND "kind" = $2 AND "slug" = $3`,
    [workspaceId, kind, slug],
  );
}
