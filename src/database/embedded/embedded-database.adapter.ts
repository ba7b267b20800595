import { join, resolve } from 'node:path';
import { type DataFolderLock, lockDataFolder } from '../data-folder-lock.adapter.js';
import { EmbeddedServer, type EmbeddedServerLimits } from './embedded-server.adapter.js';
import { type EmbeddedEngine } from './engine.js';
import { WorkerEngine } from './worker-engine.adapter.js';

/** The engine leaves dead rows for ever unless told to clear them. */
const VACUUM_EVERY_MS = 3_600_000;

export interface EmbeddedParts {
  /** Opens the backend over the files in a folder; by default in a thread of its own. */
  readonly openEngine?: (dir: string) => Promise<EmbeddedEngine>;
  readonly limits?: EmbeddedServerLimits;
}

/** The embedded database of one data folder: its lock, its backend, its housekeeping. */
export class EmbeddedDatabase {
  readonly #vacuum: NodeJS.Timeout;

  private constructor(
    readonly server: EmbeddedServer,
    readonly lock: DataFolderLock,
  ) {
    this.#vacuum = setInterval(() => void server.vacuum(), VACUUM_EVERY_MS).unref();
  }

  /** @throws SkillwrightError `data_folder_in_use` */
  static async open(dataDir: string, parts: EmbeddedParts = {}): Promise<EmbeddedDatabase> {
    const openEngine = parts.openEngine ?? ((dir: string) => WorkerEngine.open(dir));
    const lock = await lockDataFolder(dataDir);
    try {
      const dir = join(resolve(dataDir), 'postgres');
      const server = new EmbeddedServer(() => openEngine(dir), parts.limits);
      await server.start();
      return new EmbeddedDatabase(server, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#vacuum);
    await this.server.stop();
    await this.lock.release();
  }
}
