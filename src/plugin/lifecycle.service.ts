import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';

/**
 * Starts and stops what holds resources, in order. One place, so that the services themselves know nothing of
 * Nest's hooks and can be built by hand for a folder without a database.
 */
@Injectable()
export class Lifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DatabaseService) private readonly database: DatabaseService,
    @Inject(CatalogService) private readonly catalog: CatalogService,
  ) {}

  /** A PostgreSQL that is down does not keep the host from starting; a data folder of somebody else does. */
  async onModuleInit(): Promise<void> {
    await Promise.all([this.database.start(), this.catalog.start()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.catalog.stop();
    await this.database.stop();
  }
}
