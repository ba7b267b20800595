import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../../config/options.token.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { SkillsModule } from '../catalog/skills.module.js';
import { SearchService } from './search.service.js';

/** Provides the search over the catalogue. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  imports: [SkillsModule],
  providers: [
    {
      provide: SearchService,
      useFactory: (options: SkillwrightOptions, catalog: CatalogService) =>
        new SearchService(options, catalog),
      inject: [SKILLWRIGHT_OPTIONS, CatalogService],
    },
  ],
  exports: [SearchService],
})
export class SearchModule {}
