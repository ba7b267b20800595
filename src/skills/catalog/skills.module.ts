import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../../config/options.token.js';
import { WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { CatalogService } from './catalog.service.js';

/** Provides the catalogue of skills. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  providers: [
    WorkspaceFiles,
    {
      provide: CatalogService,
      useFactory: (options: SkillwrightOptions, files: WorkspaceFiles) => new CatalogService(options, files),
      inject: [SKILLWRIGHT_OPTIONS, WorkspaceFiles],
    },
  ],
  exports: [CatalogService, WorkspaceFiles],
})
export class SkillsModule {}
