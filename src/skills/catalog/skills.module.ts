import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../../config/options.token.js';
import { DatabaseModule } from '../../database/database.module.js';
import { DatabaseService } from '../../database/database.service.js';
import { ChangeStore } from '../../events/change.store.js';
import { EventsModule } from '../../events/events.module.js';
import { WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { CatalogService } from './catalog.service.js';

/** Provides the catalogue of skills. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  imports: [DatabaseModule, EventsModule],
  providers: [
    WorkspaceFiles,
    {
      provide: CatalogService,
      useFactory: (
        options: SkillwrightOptions,
        files: WorkspaceFiles,
        database: DatabaseService,
        changes: ChangeStore,
      ) => new CatalogService(options, files, { store: { database, changes } }),
      inject: [SKILLWRIGHT_OPTIONS, WorkspaceFiles, DatabaseService, ChangeStore],
    },
  ],
  exports: [CatalogService, WorkspaceFiles],
})
export class SkillsModule {}
