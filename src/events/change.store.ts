import { type EntityManager } from 'typeorm';
import { type DatabaseService } from '../database/database.service.js';
import { inSchema } from '../database/migrations/in-schema.js';
import { actorOf, type Author } from './author.js';
import { type EventMap, type EventType } from './event-map.js';

/** What an audit row says beside who, when and through which door. */
export interface AuditEntry {
  /** `skill.update`, `preset.delete` … */
  readonly action: string;
  readonly subjectKind: 'skill' | 'workflow' | 'preset' | 'workspace' | 'database';
  readonly subjectId: string;
  readonly slug?: string | null;
  readonly version?: number | null;
  readonly digest?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The channel that carries the number of the newest revision, and nothing else. */
export const REVISION_CHANNEL = 'skillwright_revision';

/** What one transaction changes; closed by {@link ChangeStore.run}. */
export class Change {
  private readonly audits: AuditEntry[] = [];
  private readonly events: { type: EventType; payload: object }[] = [];
  private readonly skills = new Set<string>();

  constructor(
    readonly manager: EntityManager,
    readonly author: Author,
  ) {}

  /** The qualified name of a table. */
  table(name: string): string {
    return inSchema({ dataSource: this.manager.dataSource }, name);
  }

  /** One row for each change of one thing. */
  audit(entry: AuditEntry): void {
    this.audits.push(entry);
  }

  event<Type extends EventType>(type: Type, payload: EventMap[Type]): void {
    this.events.push({ type, payload });
  }

  /** Marks a skill's row as changed, so that every replica reads it again. */
  touch(skillId: string): void {
    this.skills.add(skillId);
  }

  /**
   * Writes what was recorded, and takes the numbers, in one last statement: whoever takes a number holds the
   * counters until the commit, so a later number is never seen before an earlier one.
   *
   * @returns the new revision; null when nothing was recorded
   */
  async close(): Promise<number | null> {
    if (this.audits.length === 0 && this.events.length === 0 && this.skills.size === 0) return null;
    const rows: { revision: string }[] = await this.manager.query(
      `WITH numbers AS (
         UPDATE ${this.table('counters')}
         SET "revision" = "revision" + 1, "seq" = "seq" + $1, "audit" = "audit" + $2
         RETURNING "revision" AS revision, "seq" - $1 AS seq, "audit" - $2 AS audit
       ), touched AS (
         UPDATE ${this.table('skills')} SET "revision" = numbers.revision FROM numbers WHERE "id" = ANY($3::uuid[])
       ), told AS (
         INSERT INTO ${this.table('events')} ("seq", "revision", "type", "payload")
         SELECT numbers.seq + e.n, numbers.revision, e.item->>'type', e.item->'payload'
         FROM numbers, jsonb_array_elements($4::jsonb) WITH ORDINALITY AS e(item, n)
       ), audited AS (
         INSERT INTO ${this.table('audit_events')} ("id", "actor", "door", "request_id", "action", "subject_kind",
           "subject_id", "slug", "version", "digest", "message", "details")
         SELECT numbers.audit + a.n, $6::jsonb, $7, $8, a.item->>'action', a.item->>'subjectKind',
           a.item->>'subjectId', a.item->>'slug', (a.item->>'version')::integer, a.item->>'digest', $9,
           coalesce(a.item->'details', '{}'::jsonb)
         FROM numbers, jsonb_array_elements($5::jsonb) WITH ORDINALITY AS a(item, n)
       )
       SELECT revision, pg_notify('${REVISION_CHANNEL}', revision::text) FROM numbers`,
      [
        this.events.length,
        this.audits.length,
        [...this.skills],
        JSON.stringify(this.events),
        JSON.stringify(this.audits),
        JSON.stringify(actorOf(this.author)),
        this.author.door,
        this.author.requestId,
        this.author.message,
      ],
    );
    return Number(rows[0]?.revision);
  }
}

export interface Committed<T> {
  readonly value: T;
  /** Null when nothing changed. */
  readonly revision: number | null;
}

/** The one way to change stored things: change, audit rows, events and revision are one transaction. */
export class ChangeStore {
  private readonly listeners = new Set<(revision: number) => void>();

  constructor(private readonly database: DatabaseService) {}

  /** @throws SkillwrightError `db_unavailable`, `storage_full`; whatever `work` throws, and then nothing changed */
  async run<T>(author: Author, work: (change: Change) => Promise<T>): Promise<Committed<T>> {
    const committed = await this.database.transaction(async (manager) => {
      const change = new Change(manager, author);
      const value = await work(change);
      return { value, revision: await change.close() };
    });
    if (committed.revision !== null) for (const listener of [...this.listeners]) listener(committed.revision);
    return committed;
  }

  /** Called after each commit of this process. @returns a function that ends it */
  onCommit(listener: (revision: number) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}
