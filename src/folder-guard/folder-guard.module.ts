import { Module } from '@nestjs/common';
import { type SkillwrightOptions } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { FolderGuardService } from './folder-guard.service.js';

/** Provides the guard of steps. Needs a global provider of `SKILLWRIGHT_OPTIONS`. */
@Module({
  providers: [
    {
      provide: FolderGuardService,
      inject: [SKILLWRIGHT_OPTIONS],
      useFactory: (options: SkillwrightOptions) => new FolderGuardService(options),
    },
  ],
  exports: [FolderGuardService],
})
export class FolderGuardModule {}
