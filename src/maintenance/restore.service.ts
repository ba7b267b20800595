import { createHash } from 'node:crypto';
import { type DatabaseService } from '../database/database.service.js';
import { MIGRATIONS } from '../database/migrations/all-migrations.js';
import { type Author } from '../events/author.js';
import { SkillwrightError } from '../kernel/errors.js';
import {
  type BackupHead,
  type BackupLine,
  BACKUP_TABLES,
  type BackupTable,
  invalid,
  parseHead,
  parseLine,
} from './backup-format.js';
import { readLines } from './backup-lines.service.js';
import { RestoreTarget, type StoredCounts } from './restore.store.js';
import { judgeStored } from './stored-state.service.js';
import { describeProblem, type Problem } from './verification.js';

export interface RestoreRequest {
  /** Put the backup in the place of what is there. */
  readonly replace: boolean;
  /** Take it also when what it holds is not whole. */
  readonly force: boolean;
  readonly author: Author;
}

export interface RestoreReport {
  /** ISO 8601: when the backup was made. */
  readonly made_at: string;
  readonly restored: StoredCounts;
  /** What is gone; null when there was nothing. */
  readonly replaced: StoredCounts | null;
  /** What is not whole in it; empty unless forced. */
  readonly problems: readonly Problem[];
}

// One statement carries about so much.
const STATEMENT_BYTES = 1_048_576;
const STATEMENT_ROWS = 500;

/**
 * Puts a backup into the database, in one transaction: either all of it is there afterwards and whole, or nothing
 * changed. What workspaces held is forgotten: the next sync compares each folder with the catalogue anew.
 *
 * @param bytes of the file
 * @throws SkillwrightError `backup_invalid`, `database_not_empty`, `database_in_use`, `db_unavailable`, `storage_full`
 */
export function restoreBackup(
  database: DatabaseService,
  bytes: AsyncIterable<Uint8Array>,
  request: RestoreRequest,
): Promise<RestoreReport> {
  return database.transaction(async (manager) => {
    const target = new RestoreTarget(manager);
    await target.lock();
    const replaced = await makeRoom(target, request, database.status().kind);
    const loading = new Loading(target);
    const head = await loading.load(bytes);
    await target.raiseRevision();
    const { problems } = await judgeStored(target, { all: true });
    if (problems.length > 0 && !request.force) throw notWhole(problems);
    const restored = await target.counts();
    await record(target, request.author, head, restored);
    return { made_at: head.made_at, restored, replaced, problems };
  });
}

async function makeRoom(
  target: RestoreTarget,
  { replace }: RestoreRequest,
  kind: 'embedded' | 'postgres',
): Promise<StoredCounts | null> {
  // An embedded database belongs to this process; a lease in it is what is left of another that ended.
  if (kind === 'postgres' && (await target.isServed())) {
    throw new SkillwrightError('database_in_use', {
      detail:
        'a service works on this database; stop it (and all its replicas), or wait a few seconds if you just did',
    });
  }
  const isEmpty = await target.isEmpty();
  const before = isEmpty ? null : await target.counts();
  if (before !== null && !replace) {
    const { skills, presets } = before;
    throw new SkillwrightError('database_not_empty', {
      detail: `the database holds ${skills} skills and ${presets} presets; --replace puts the backup in their place, and all versions, presets and audit rows in it are gone`,
    });
  }
  await target.clear();
  return before;
}

async function record(
  target: RestoreTarget,
  author: Author,
  { made_at }: BackupHead,
  restored: StoredCounts,
): Promise<void> {
  const change = target.change(author);
  change.audit({
    action: 'database.restore',
    subjectKind: 'database',
    subjectId: 'database',
    details: { made_at, ...restored },
  });
  await change.close();
}

function notWhole(problems: readonly Problem[]): SkillwrightError {
  const [first] = problems;
  const more = problems.length > 1 ? `; and ${problems.length - 1} more` : '';
  return invalid(
    `what it holds is not whole: ${first === undefined ? '' : describeProblem(first)}${more}; --force takes it as it is`,
  );
}

/** Reads a backup line by line and writes it in portions. */
class Loading {
  private readonly hash = createHash('sha256');
  private columns = new Map<BackupTable, readonly string[]>();
  private table: BackupTable | null = null;
  private rows: string[] = [];
  private blobs: (readonly [string, Buffer])[] = [];
  private size = 0;
  private loadedRows = 0;
  private loadedBlobs = 0;

  constructor(private readonly target: RestoreTarget) {}

  async load(bytes: AsyncIterable<Uint8Array>): Promise<BackupHead> {
    let head: BackupHead | null = null;
    let isOver = false;
    let number = 0;
    for await (const text of readLines(bytes)) {
      number += 1;
      if (isOver) throw invalid(`line ${number} comes after its end`);
      if (head === null) {
        head = parseHead(
          text,
          MIGRATIONS.map(({ name }) => name),
        );
        await this.takeColumns(head);
      } else {
        const line = parseLine(text, number);
        if (line.kind === 'end') {
          this.judgeEnd(line);
          isOver = true;
          continue;
        }
        await this.take(line, text.length).catch((error: unknown) => {
          throw SkillwrightError.is(error)
            ? error
            : invalid(`line ${number}: ${(error as Error).message}`, error);
        });
      }
      this.hash.update(text).update('\n');
    }
    if (head === null) throw invalid('it is empty');
    if (!isOver) throw invalid('it is cut off: its end is missing');
    await this.flush();
    return head;
  }

  private async takeColumns(head: BackupHead): Promise<void> {
    for (const table of BACKUP_TABLES) {
      const known = await this.target.columns(table);
      const columns = head.tables[table] ?? [];
      const unknown = columns.filter((name) => !known.has(name));
      if (unknown.length > 0) throw invalid(`this release knows no column ${unknown.join(', ')} of ${table}`);
      this.columns.set(table, columns);
    }
  }

  private async take(line: Exclude<BackupLine, { kind: 'end' }>, length: number): Promise<void> {
    const table = line.kind === 'row' ? line.table : null;
    const count = this.rows.length + this.blobs.length;
    if (table !== this.table || this.size + length > STATEMENT_BYTES || count >= STATEMENT_ROWS)
      await this.flush();
    this.table = table;
    this.size += length;
    if (line.kind === 'row') this.rows.push(JSON.stringify(line.row));
    else this.blobs.push([line.sha256, line.bytes]);
  }

  private async flush(): Promise<void> {
    if (this.table !== null && this.rows.length > 0) {
      await this.target.insert(this.table, this.columns.get(this.table) ?? [], `[${this.rows.join(',')}]`);
    }
    if (this.blobs.length > 0) await this.target.insertBlobs(this.blobs);
    this.loadedRows += this.rows.length;
    this.loadedBlobs += this.blobs.length;
    this.rows = [];
    this.blobs = [];
    this.size = 0;
  }

  private judgeEnd({ rows, blobs, sha256 }: Extract<BackupLine, { kind: 'end' }>): void {
    const gotRows = this.loadedRows + this.rows.length;
    const gotBlobs = this.loadedBlobs + this.blobs.length;
    if (gotRows !== rows || gotBlobs !== blobs) {
      throw invalid(
        `it says that it holds ${rows} rows and ${blobs} files, but it holds ${gotRows} and ${gotBlobs}`,
      );
    }
    if (this.hash.copy().digest('hex') !== sha256) throw invalid('its checksum is not that of its lines');
  }
}
