import { type EntityManager } from 'typeorm';
import { type DatabaseService } from '../database/database.service.js';
import { inSchema, schemaOf } from '../database/migrations/in-schema.js';
import { BACKUP_TABLES, type BackupHead, type BackupTable, BLOB_TABLE } from './backup-format.js';

const ROWS_AT_ONCE = 100;
const BLOBS_AT_ONCE = 200;
const BLOB_BYTES_AT_ONCE = 4_194_304;

export type SnapshotPart =
  | { readonly kind: 'head'; readonly head: Omit<BackupHead, 'skillwright_backup' | 'made_at'> }
  /** Rows of one table, each as JSON text. */
  | { readonly kind: 'rows'; readonly table: BackupTable; readonly rows: readonly string[] };

/**
 * Hands out every row of the database as of one moment; a few rows are in memory at a time. The transaction stays open
 * for as long as `take` needs, and the embedded database serves nobody else meanwhile.
 *
 * @throws SkillwrightError `db_unavailable`
 */
export async function readSnapshot(
  database: DatabaseService,
  take: (part: SnapshotPart) => Promise<void>,
): Promise<void> {
  await database.run((source) =>
    source.transaction('REPEATABLE READ', async (manager) => {
      await take({ kind: 'head', head: await readHead(manager) });
      for (const table of BACKUP_TABLES)
        await readTable(manager, table, (rows) => take({ kind: 'rows', table, rows }));
    }),
  );
}

/**
 * Every stored file, each batch by itself. Bytes never change, and those that a version refers to stay, so all that an
 * earlier snapshot needs are among them; more of them do no harm.
 *
 * @throws SkillwrightError `db_unavailable`
 */
export async function* readBlobs(
  database: DatabaseService,
): AsyncGenerator<readonly [sha256: string, bytes: Buffer], void, undefined> {
  let after = '';
  for (;;) {
    const heads = await query<{ sha256: string; size: number }>(
      database,
      (table) =>
        `SELECT "sha256", "size" FROM ${table} WHERE "sha256" > $1 ORDER BY "sha256" LIMIT ${BLOBS_AT_ONCE}`,
      [after],
    );
    for (const hashes of inPortions(heads)) {
      const rows = await query<{ sha256: string; bytes: Uint8Array }>(
        database,
        (table) => `SELECT "sha256", "bytes" FROM ${table} WHERE "sha256" = ANY($1) ORDER BY "sha256"`,
        [hashes],
      );
      for (const { sha256, bytes } of rows) yield [sha256, Buffer.from(bytes)];
    }
    const last = heads.at(-1);
    if (last === undefined) return;
    after = last.sha256;
  }
}

function query<Row>(
  database: DatabaseService,
  sql: (table: string) => string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return database.run((manager) => manager.query(sql(inSchema(manager, BLOB_TABLE)), [...parameters]));
}

function* inPortions(
  blobs: readonly { readonly sha256: string; readonly size: number }[],
): Generator<readonly string[], void, undefined> {
  let portion: string[] = [];
  let bytes = 0;
  for (const { sha256, size } of blobs) {
    if (portion.length > 0 && bytes + size > BLOB_BYTES_AT_ONCE) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(sha256);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

async function readHead(manager: EntityManager): Promise<Omit<BackupHead, 'skillwright_backup' | 'made_at'>> {
  const migrations: { name: string }[] = await manager.query(
    `SELECT "name" FROM ${inSchema(manager, 'migrations')} ORDER BY "timestamp"`,
  );
  const columns: { table: string; columns: string[] }[] = await manager.query(
    `SELECT table_name AS "table", json_agg(column_name ORDER BY ordinal_position) AS "columns"
     FROM information_schema.columns WHERE table_schema = $1 AND table_name = ANY($2) GROUP BY table_name`,
    [schemaOf(manager.dataSource), BACKUP_TABLES],
  );
  return {
    migrations: migrations.map(({ name }) => name),
    tables: Object.fromEntries(columns.map(({ table, columns }) => [table, columns])),
  };
}

async function readTable(
  manager: EntityManager,
  table: BackupTable,
  take: (rows: readonly string[]) => Promise<void>,
): Promise<void> {
  await manager.query(
    `DECLARE skillwright_backup NO SCROLL CURSOR FOR SELECT to_json(t)::text AS "row" FROM ${inSchema(manager, table)} t`,
  );
  for (;;) {
    const rows: { row: string }[] = await manager.query(`FETCH ${ROWS_AT_ONCE} FROM skillwright_backup`);
    if (rows.length === 0) break;
    await take(rows.map(({ row }) => row));
  }
  await manager.query('CLOSE skillwright_backup');
}
