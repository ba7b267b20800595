import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseService } from '../database/database.service.js';
import { SkillsModule } from '../skills/catalog/skills.module.js';
import { WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { Maintenance } from './maintenance.service.js';

/** Provides the upkeep of what is stored. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  imports: [DatabaseModule, SkillsModule],
  providers: [
    {
      provide: Maintenance,
      useFactory: (options: SkillwrightOptions, database: DatabaseService, files: WorkspaceFiles) =>
        new Maintenance(options, database, files),
      inject: [SKILLWRIGHT_OPTIONS, DatabaseService, WorkspaceFiles],
    },
  ],
  exports: [Maintenance],
})
export class MaintenanceModule {}
