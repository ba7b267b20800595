import { type EntityManager } from 'typeorm';
import { inSchema, schemaOf } from '../database/migrations/in-schema.js';
import { type Author } from '../events/author.js';
import { Change } from '../events/change.store.js';
import { BACKUP_TABLES, type BackupTable, BLOB_TABLE, TABLES_LEFT_OUT } from './backup-format.js';

/** How many rows there are of what people would miss. */
export interface StoredCounts {
  readonly skills: number;
  readonly versions: number;
  readonly presets: number;
  readonly workflow_versions: number;
  readonly audit_rows: number;
}

// The migrations say what the schema is; everything else is content.
const CONTENT = [...BACKUP_TABLES, BLOB_TABLE, ...TABLES_LEFT_OUT].filter((name) => name !== 'migrations');

/** The database that a backup is put into, within one transaction. */
export class RestoreTarget {
  constructor(private readonly manager: EntityManager) {}

  /** Asks within the transaction. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work(this.manager);
  }

  /** A change within the transaction; to be closed. */
  change(author: Author): Change {
    return new Change(this.manager, author);
  }

  /** Keeps a second restore away until this one is done. */
  async lock(): Promise<void> {
    await this.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `restore:${schemaOf(this.manager.dataSource)}`,
    ]);
  }

  /** Whether a service works on the database now, as far as its lease on a workspace tells. */
  async isServed(): Promise<boolean> {
    return this.some(`SELECT 1 FROM ${this.table('workspaces')} WHERE "lease_until" > now()`);
  }

  async isEmpty(): Promise<boolean> {
    for (const name of CONTENT) {
      if (name !== 'counters' && (await this.some(`SELECT 1 FROM ${this.table(name)}`))) return false;
    }
    return true;
  }

  async counts(): Promise<StoredCounts> {
    const count = (name: string): string => `(SELECT count(*)::int FROM ${this.table(name)})`;
    const [row] = await this.manager.query<[StoredCounts]>(
      `SELECT ${count('skills')} AS "skills", ${count('skill_versions')} AS "versions", ${count('presets')} AS "presets",
         ${count('workflow_configs')} AS "workflow_versions", ${count('audit_events')} AS "audit_rows"`,
    );
    return row;
  }

  async clear(): Promise<void> {
    await this.manager.query(`TRUNCATE ${CONTENT.map((name) => this.table(name)).join(', ')}`);
  }

  async columns(table: BackupTable): Promise<Set<string>> {
    const rows: { name: string }[] = await this.manager.query(
      `SELECT column_name AS "name" FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2`,
      [schemaOf(this.manager.dataSource), table],
    );
    return new Set(rows.map(({ name }) => name));
  }

  /**
   * @param columns of the backup, which this table has; its others take their defaults
   * @param rows a JSON array
   */
  async insert(table: BackupTable, columns: readonly string[], rows: string): Promise<void> {
    const names = columns.map((name) => `"${name}"`).join(', ');
    await this.manager.query(
      `INSERT INTO ${this.table(table)} (${names})
       SELECT ${names} FROM json_populate_recordset(NULL::${this.table(table)}, $1::json)`,
      [rows],
    );
  }

  async insertBlobs(blobs: readonly (readonly [sha256: string, bytes: Buffer])[]): Promise<void> {
    const values = blobs.map((_, at) => `($${2 * at + 1}::text, $${2 * at + 2}::bytea)`).join(', ');
    await this.manager.query(
      `INSERT INTO ${this.table(BLOB_TABLE)} ("sha256", "bytes", "size")
       SELECT v.s, v.b, length(v.b) FROM (VALUES ${values}) AS v(s, b)`,
      blobs.flat(),
    );
  }

  /** The numbers go on from the clock where that is ahead, so that nothing seen before looks new or the reverse. */
  async raiseRevision(): Promise<void> {
    await this.manager.query(
      `UPDATE ${this.table('counters')} SET "revision" = greatest("revision", floor(extract(epoch FROM now()))::bigint)`,
    );
  }

  private async some(sql: string): Promise<boolean> {
    const rows: unknown[] = await this.manager.query(`${sql} LIMIT 1`);
    return rows.length > 0;
  }

  private table(name: string): string {
    return inSchema(this.manager, name);
  }
}
