import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { SkillwrightError } from '../kernel/errors.js';
import { Maintenance } from '../maintenance/maintenance.service.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { SearchService } from '../skills/search/search.service.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { ConfigSync } from '../workflow/config-sync.service.js';
import { PresetService } from '../workflow/preset.service.js';

const COLLECT_EVERY_MS = 3_600_000;

/**
 * Starts and stops what holds resources, in order. One place, so that the services themselves know nothing of
 * Nest's hooks and can be built by hand for a folder without a database.
 */
@Injectable()
export class Lifecycle implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Skillwright');
  #collecting: NodeJS.Timeout | null = null;

  constructor(
    @Inject(DatabaseService) private readonly database: DatabaseService,
    @Inject(CatalogService) private readonly catalog: CatalogService,
    @Inject(SearchService) private readonly search: SearchService,
    @Inject(FolderGuardService) private readonly guard: FolderGuardService,
    @Inject(PresetService) private readonly presets: PresetService,
    @Inject(ConfigSync) private readonly configs: ConfigSync,
    @Inject(Maintenance) private readonly maintenance: Maintenance,
  ) {}

  /** A PostgreSQL that is down does not keep the host from starting; a data folder of somebody else does. */
  async onModuleInit(): Promise<void> {
    await Promise.all([this.database.start(), this.catalog.start()]);
    const attached = this.database.whenUp().then(() => this.#attach());
    if (this.database.status().state === 'up') await attached;
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#collecting !== null) clearInterval(this.#collecting);
    await this.search.stop();
    this.guard.stop();
    await this.configs.stop();
    await this.catalog.stop();
    await this.database.stop();
  }

  /** Tries on when the database goes away in between; without its rows nobody knows what may be offered. */
  async #attach(): Promise<void> {
    for (;;) {
      try {
        await this.catalog.attach();
        await this.configs.start();
        break;
      } catch (error) {
        if (!SkillwrightError.is(error) || error.code !== 'db_unavailable') throw error;
        await this.database.whenUp();
      }
    }
    this.search.start();
    this.#warnOfPlaces();
    await this.#seed();
    this.#collecting = setInterval(() => void this.#collect(), COLLECT_EVERY_MS).unref();
  }

  /** What a crash left behind is no hurry: a failure is made up for an hour later. */
  async #collect(): Promise<void> {
    try {
      const gone = await this.maintenance.collectOrphans();
      if (gone > 0) this.#log.log(`stored files that nothing refers to were removed: ${gone}`);
    } catch (error) {
      this.#log.warn(`stored files without use could not be collected: ${(error as Error).message}`);
    }
  }

  /** A mistyped folder would otherwise look like a workspace without skills. */
  #warnOfPlaces(): void {
    for (const { code, message, path } of this.catalog.snapshot().findings) {
      if (code === 'location_missing' || code === 'location_unreadable') {
        this.#log.warn(`${message} ${path ?? ''}`.trimEnd());
      }
    }
  }

  /** Samples are a convenience: what is wrong with them must not keep anybody from starting. */
  async #seed(): Promise<void> {
    try {
      const made = await this.presets.seedSamples();
      if (made.length > 0) this.#log.log(`sample presets made: ${made.join(', ')}`);
    } catch (error) {
      this.#log.error({ err: error }, 'sample presets could not be made');
    }
  }
}
