import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { CatalogService } from '../skills/catalog/catalog.service.js';
import { SkillsModule } from '../skills/catalog/skills.module.js';
import { ImportService } from './import.service.js';

/** Skills from archives and from GitHub. */
@Module({
  imports: [SkillsModule],
  providers: [
    {
      provide: ImportService,
      inject: [SKILLWRIGHT_OPTIONS, CatalogService],
      useFactory: (options: SkillwrightOptions, catalog: CatalogService) =>
        new ImportService(options, catalog),
    },
  ],
  exports: [ImportService],
})
export class GitHubImportModule {}
