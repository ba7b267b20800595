import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { SkillwrightError } from '../kernel/errors.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { SearchService } from '../skills/search/search.service.js';
import { PresetService } from '../workflow/preset.service.js';

/**
 * Starts and stops what holds resources, in order. One place, so that the services themselves know nothing of
 * Nest's hooks and can be built by hand for a folder without a database.
 */
@Injectable()
export class Lifecycle implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Skillwright');

  constructor(
    @Inject(DatabaseService) private readonly database: DatabaseService,
    @Inject(CatalogService) private readonly catalog: CatalogService,
    @Inject(SearchService) private readonly search: SearchService,
    @Inject(PresetService) private readonly presets: PresetService,
  ) {}

  /** A PostgreSQL that is down does not keep the host from starting; a data folder of somebody else does. */
  async onModuleInit(): Promise<void> {
    await Promise.all([this.database.start(), this.catalog.start()]);
    const attached = this.database.whenUp().then(() => this.#attach());
    if (this.database.status().state === 'up') await attached;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.search.stop();
    await this.catalog.stop();
    await this.database.stop();
  }

  /** Tries on when the database goes away in between; without its rows nobody knows what may be offered. */
  async #attach(): Promise<void> {
    for (;;) {
      try {
        await this.catalog.attach();
        break;
      } catch (error) {
        if (!SkillwrightError.is(error) || error.code !== 'db_unavailable') throw error;
        await this.database.whenUp();
      }
    }
    this.search.start();
    this.#warnOfPlaces();
    await this.#seed();
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
