import { resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { type SkillwrightOptions } from '../config/options.js';
import { type DatabaseService } from '../database/database.service.js';
import { BlobCollection } from '../skills/store/blob-collection.store.js';
import { spool, type Spooled } from '../workspace/stream-file.adapter.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { streamBackup } from './backup.service.js';
import { restoreBackup, type RestoreReport, type RestoreRequest } from './restore.service.js';
import { type Verification } from './verification.js';
import { verifyEverything, type VerifyRequest } from './verify.service.js';

/** The upkeep of what is stored. */
export class Maintenance {
  constructor(
    private readonly options: SkillwrightOptions,
    private readonly database: DatabaseService,
    private readonly files: WorkspaceFiles,
  ) {}

  /**
   * Looks whether everything that is stored is whole; changes nothing.
   *
   * @throws SkillwrightError `db_unavailable`
   */
  verify(request: VerifyRequest): Promise<Verification> {
    const { options, database, files } = this;
    return verifyEverything({ options, database, files }, request);
  }

  /** Everything that is stored, as one file. Whoever takes it slowly holds up an embedded database. */
  backup(): Readable {
    return streamBackup(this.database);
  }

  /**
   * The same to be taken at any speed.
   *
   * @throws SkillwrightError `db_unavailable`, `storage_full`
   */
  async download(): Promise<Spooled> {
    return spool(resolve(this.options.data.dir), this.backup());
  }

  /** Puts a backup into the database; no service may work on it. @throws SkillwrightError see {@link restoreBackup} */
  restore(bytes: AsyncIterable<Uint8Array>, request: RestoreRequest): Promise<RestoreReport> {
    return restoreBackup(this.database, bytes, request);
  }

  /** Removes bytes that nothing refers to any more. @returns how many */
  collectOrphans(): Promise<number> {
    return new BlobCollection(this.database).collect();
  }
}
