import { Module } from '@nestjs/common';
import { FolderGuardService } from './folder-guard.service.js';

/** Provides the grants of steps. */
@Module({
  providers: [{ provide: FolderGuardService, useFactory: () => new FolderGuardService() }],
  exports: [FolderGuardService],
})
export class FolderGuardModule {}
