import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../../config/options.token.js';
import { WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { SkillsModule } from '../catalog/skills.module.js';
import { createEmbedder } from './embedder.factory.js';
import { SearchService } from './search.service.js';

/** Provides the search over the catalogue. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  imports: [SkillsModule],
  providers: [
    {
      provide: SearchService,
      useFactory: (options: SkillwrightOptions, catalog: CatalogService, files: WorkspaceFiles) =>
        new SearchService(options, catalog, createEmbedder(options, files)),
      inject: [SKILLWRIGHT_OPTIONS, CatalogService, WorkspaceFiles],
    },
  ],
  exports: [SearchService],
})
export class SearchModule {}
