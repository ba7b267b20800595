import { type DatabaseService } from '../../database/database.service.js';
import { inSchema } from '../../database/migrations/in-schema.js';
import { SkillwrightError } from '../../kernel/errors.js';

// One statement carries about so many bytes: a bigger one would hold up everybody else's.
const STATEMENT_BYTES = 1_048_576;
// A blob that is put again counts as new, or the collector of orphans could take it before it is referred to.
const FRESH = `interval '10 minutes'`;

/** Bytes by their SHA-256. They go in before the transaction that refers to them. */
export class BlobStore {
  constructor(private readonly database: DatabaseService) {}

  /** @throws SkillwrightError `db_unavailable`, `storage_full` */
  async put(blobs: Iterable<readonly [sha256: string, bytes: Buffer]>): Promise<void> {
    let batch: (readonly [string, Buffer])[] = [];
    let size = 0;
    // Two skills of a batch may hold the same file; one statement may name it once.
    for (const blob of [...new Map(blobs)].sort(byHash)) {
      if (batch.length > 0 && size + blob[1].length > STATEMENT_BYTES) {
        await this.insert(batch);
        batch = [];
        size = 0;
      }
      batch.push(blob);
      size += blob[1].length;
    }
    if (batch.length > 0) await this.insert(batch);
  }

  /** @throws SkillwrightError `internal` when the bytes are not there: a broken store; `db_unavailable` */
  async read(sha256: string): Promise<Buffer> {
    const [bytes] = await this.readAll([sha256]);
    if (bytes === undefined) throw missing(sha256);
    return bytes;
  }

  /** The bytes in the order of the hashes. */
  async readAll(hashes: readonly string[]): Promise<Buffer[]> {
    const found = await this.select(hashes, '"bytes"');
    return hashes.map((hash) => found.get(hash) ?? fail(hash));
  }

  /** The first bytes of each blob, by hash. */
  heads(hashes: readonly string[], bytes: number): Promise<Map<string, Buffer>> {
    return this.select(hashes, `substring("bytes" FROM 1 FOR ${Math.trunc(bytes)}) AS "bytes"`);
  }

  private select(hashes: readonly string[], columns: string): Promise<Map<string, Buffer>> {
    return this.database.run(async (manager) => {
      const rows: { sha256: string; bytes: Uint8Array }[] = await manager.query(
        `SELECT "sha256", ${columns} FROM ${inSchema(manager, 'skill_blobs')} WHERE "sha256" = ANY($1)`,
        [hashes],
      );
      return new Map(rows.map(({ sha256, bytes }) => [sha256, Buffer.from(bytes)]));
    });
  }

  private insert(blobs: readonly (readonly [string, Buffer])[]): Promise<unknown> {
    return this.database.run((manager) => {
      const table = inSchema(manager, 'skill_blobs');
      const values = blobs.map((_, at) => `($${2 * at + 1}::text, $${2 * at + 2}::bytea)`).join(', ');
      return manager.query(
        `INSERT INTO ${table} AS b ("sha256", "bytes", "size")
         SELECT v.s, v.b, length(v.b) FROM (VALUES ${values}) AS v(s, b)
         ON CONFLICT ("sha256") DO UPDATE SET "created_at" = now() WHERE b."created_at" < now() - ${FRESH}`,
        blobs.flatMap(([hash, bytes]) => [hash, bytes]),
      );
    });
  }
}

/** Two processes that put the same blobs in another order would wait for each other for ever. */
function byHash([a]: readonly [string, Buffer], [b]: readonly [string, Buffer]): number {
  return a < b ? -1 : 1;
}

function missing(sha256: string): SkillwrightError {
  return new SkillwrightError('internal', { detail: `stored bytes are missing: ${sha256}` });
}

function fail(sha256: string): never {
  throw missing(sha256);
}
