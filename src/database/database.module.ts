import { Module } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { type SkillwrightOptions } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { DatabaseService } from './database.service.js';
import { HOST_DATA_SOURCE } from './host-data-source.token.js';

/**
 * Provides the database, not started. Needs a global provider of `SKILLWRIGHT_OPTIONS`; one of
 * `HOST_DATA_SOURCE` makes it use the host's database.
 */
@Module({
  providers: [
    {
      provide: DatabaseService,
      useFactory: (options: SkillwrightOptions, host: DataSource | undefined) =>
        new DatabaseService(options, host === undefined ? {} : { host }),
      inject: [SKILLWRIGHT_OPTIONS, { token: HOST_DATA_SOURCE, optional: true }],
    },
  ],
  exports: [DatabaseService],
})
export class DatabaseModule {}
