import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type DataFolderOwner } from './data-folder-owner.js';
import { embeddedOptions, hostOptions, serverOptions } from './data-source-options.js';
import { EmbeddedDatabase, type EmbeddedParts } from './embedded/embedded-database.adapter.js';
import { migrate } from './migrate.adapter.js';
import { databaseUnavailable, outageOf, translateDatabaseError } from './outage.js';

/** What `/readyz` says about the database. */
export interface DatabaseStatus {
  readonly state: 'starting' | 'up' | 'down';
  readonly kind: 'embedded' | 'postgres';
  /** Why it is not up. */
  readonly because?: string;
}

export interface DatabaseParts {
  /** A DataSource of the host application: its database is used, through a pool of our own. */
  readonly host?: Pick<DataSource, 'options'>;
  /** How the embedded database is run, when not in a thread with the usual limits. */
  readonly embedded?: EmbeddedParts;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
const CLOSE_MS = 5_000;

/**
 * The one door to the database. It starts the embedded one or connects to a server, migrates, notices when
 * the server goes away and when it is back, and translates what only means "not now".
 *
 * @example
 * const presets = await database.run((manager) => manager.find(PresetEntity));
 */
@Injectable()
export class DatabaseService {
  readonly #logger = new Logger('Database');
  readonly #kind: DatabaseStatus['kind'];
  #embedded: EmbeddedDatabase | null = null;
  #source: DataSource | null = null;
  #state: DatabaseStatus['state'] = 'starting';
  #because = 'it was not started';
  #retry: NodeJS.Timeout | null = null;
  #probing = false;
  #stopped = false;
  #migrated: readonly string[] = [];
  #waiting: (() => void)[] = [];

  constructor(
    private readonly options: Pick<SkillwrightOptions, 'database' | 'data'>,
    private readonly parts: DatabaseParts = {},
  ) {
    this.#kind = parts.host === undefined && options.database.url === undefined ? 'embedded' : 'postgres';
  }

  /**
   * Opens and migrates the database. A server that does not answer is no failure: the promise resolves, the
   * state stays `starting`, and the service tries again until it is `up`.
   *
   * @throws SkillwrightError `data_folder_in_use`; whatever keeps the embedded database from opening
   */
  async start(): Promise<void> {
    this.#because = 'it is starting';
    if (this.#kind === 'embedded') {
      this.#embedded = await EmbeddedDatabase.open(this.options.data.dir, this.parts.embedded);
      await this.#connect().catch(async (error: unknown) => {
        await this.stop();
        throw error;
      });
      return;
    }
    await this.#connectOrRetry(FIRST_RETRY_MS);
  }

  /**
   * As {@link start}, for a program that does one thing and ends: a server that does not answer is a failure.
   *
   * @returns the names of the migrations that were run
   * @throws SkillwrightError `db_unavailable`, `data_folder_in_use`
   */
  async open(): Promise<readonly string[]> {
    try {
      if (this.#kind === 'embedded') await this.start();
      else await this.#connect();
    } catch (error) {
      await this.stop();
      const known = translateDatabaseError(error);
      if (SkillwrightError.is(known)) throw known;
      throw databaseUnavailable(`it could not be prepared (${(error as Error).message})`, error);
    }
    return this.#migrated;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#state = 'down';
    this.#because = 'the service is stopping';
    const source = this.#source;
    this.#source = null;
    // A connection that nobody gave back must not keep the process from ending.
    if (source !== null) await within(CLOSE_MS, source.destroy());
    await this.#embedded?.close();
    this.#embedded = null;
  }

  status(): DatabaseStatus {
    const base = { state: this.#state, kind: this.#kind };
    return this.#state === 'up' ? base : { ...base, because: this.#because };
  }

  /** Resolves once the database is up and migrated; never while it is not. */
  whenUp(): Promise<void> {
    if (this.#state === 'up') return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Tells other processes of this user where the service listens; only an embedded database has an owner. */
  publish(place: Omit<DataFolderOwner, 'pid'>): void {
    this.#embedded?.lock.publish(place);
  }

  /**
   * The DataSource itself. Prefer `run` and `transaction`, which translate errors.
   *
   * @throws SkillwrightError `db_unavailable`
   */
  dataSource(): DataSource {
    if (this.#source === null || this.#state !== 'up') throw databaseUnavailable(this.#because);
    return this.#source;
  }

  /**
   * Runs queries outside of a transaction.
   *
   * @throws SkillwrightError `db_unavailable`, `storage_full`; other errors as they are
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const source = this.dataSource();
    try {
      return await work(source.manager);
    } catch (error) {
      this.#suspect(error);
      throw translateDatabaseError(error);
    }
  }

  /**
   * Runs `work` in one transaction. Inside, only its manager may be used: the embedded database has one
   * backend, and a query from elsewhere would wait for this very transaction.
   */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.run((manager) => manager.transaction(work));
  }

  async #connectOrRetry(waitMs: number): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (this.#stopped) return;
      const because = outageOf(error) ?? 'it could not be prepared';
      // Said once: a log that repeats it every two seconds hides everything else.
      if (because !== this.#because)
        this.#logger.warn(`database not available: ${because}; trying on until it is`);
      this.#because = because;
      if (outageOf(error) === null) this.#logger.error(error);
      this.#later(waitMs, () => this.#connectOrRetry(longer(waitMs)));
    }
  }

  async #connect(): Promise<void> {
    const source = new DataSource(this.#dataSourceOptions());
    try {
      await source.initialize();
      this.#migrated = await migrate(source);
    } catch (error) {
      if (source.isInitialized) await source.destroy().catch(() => undefined);
      throw error;
    }
    if (this.#stopped) {
      await source.destroy();
      return;
    }
    this.#source = source;
    this.#up();
  }

  #dataSourceOptions() {
    const { database } = this.options;
    const onPoolError = (error: unknown): void => {
      this.#suspect(error);
    };
    if (this.parts.host !== undefined) return hostOptions(this.parts.host, database, onPoolError);
    if (this.#embedded !== null) return embeddedOptions(this.#embedded.server, database, onPoolError);
    return serverOptions(database.url ?? '', database, onPoolError);
  }

  /** One failed query may be chance; a question of our own decides. */
  #suspect(error: unknown): void {
    if (this.#state === 'up' && outageOf(error) !== null) void this.#probe(FIRST_RETRY_MS);
  }

  async #probe(waitMs: number): Promise<void> {
    if (this.#probing || this.#stopped) return;
    this.#probing = true;
    try {
      await this.#source?.query('SELECT 1');
      if (this.#state !== 'up') this.#up();
    } catch (error) {
      this.#because = outageOf(error) ?? 'it does not answer as it should';
      if (this.#state === 'up') this.#logger.warn(`database lost: ${this.#because}`);
      this.#state = 'down';
      this.#later(waitMs, () => this.#probe(longer(waitMs)));
    } finally {
      this.#probing = false;
    }
  }

  #up(): void {
    if (this.#stopped) return;
    this.#state = 'up';
    this.#logger.log(`database is up (${this.#kind})`);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #later(waitMs: number, work: () => Promise<void>): void {
    if (this.#stopped) return;
    this.#retry = setTimeout(() => void work(), waitMs).unref();
  }
}

function longer(waitMs: number): number {
  return Math.min(waitMs * 2, LONGEST_RETRY_MS);
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
