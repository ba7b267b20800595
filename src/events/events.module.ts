import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseService } from '../database/database.service.js';
import { ChangeStore } from './change.store.js';

/** Provides the one way to change stored things. */
@Module({
  imports: [DatabaseModule],
  providers: [
    {
      provide: ChangeStore,
      useFactory: (database: DatabaseService) => new ChangeStore(database),
      inject: [DatabaseService],
    },
  ],
  exports: [ChangeStore],
})
export class EventsModule {}
