import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type EntityManager } from 'typeorm';
import { resolveOptions } from '../../src/config/resolve-options.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { type WriteRule } from '../../src/workspace/rooted-write.adapter.js';
import { type Below, WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';

/** What a step of a dead process throws. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * A process that dies at one of its steps: each statement, commit and change on disk is one. From then on nothing of
 * it comes through any more.
 */
export class MortalProcess {
  readonly files: WorkspaceFiles = new MortalFiles(this);
  readonly database: DatabaseService;
  private left = Infinity;
  private last: string | null = null;

  constructor(database: DatabaseService) {
    this.database = new MortalDatabase(database, this);
  }

  /** Lets it live for so many steps more. */
  dieAfter(steps: number): void {
    this.left = steps;
  }

  /** Lets it live until this very step. */
  dieAt(step: string): void {
    this.last = step;
  }

  isDead(): boolean {
    return this.left < 0;
  }

  step(what: string): void {
    this.left = what === this.last ? -1 : this.left - 1;
    if (this.isDead()) throw new Killed();
  }
}

class MortalDatabase extends DatabaseService {
  constructor(
    private readonly inner: DatabaseService,
    private readonly life: MortalProcess,
  ) {
    super(resolveOptions({}));
  }

  override status() {
    return this.inner.status();
  }

  override run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.inner.run((manager) => work(this.counted(manager)));
  }

  override async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const value = await this.inner.transaction(async (manager) => {
      const done = await work(this.counted(manager));
      this.life.step('commit');
      return done;
    });
    // Committed, and nobody is there any more to hear of it.
    this.life.step('hear of the commit');
    return value;
  }

  private counted(manager: EntityManager): EntityManager {
    return new Proxy(manager, {
      get: (target, key) => {
        if (key !== 'query') return Reflect.get(target, key) as unknown;
        return async (sql: string, parameters?: unknown[]) => {
          this.life.step(sql);
          return target.query<unknown>(sql, parameters);
        };
      },
    });
  }
}

class MortalFiles extends WorkspaceFiles {
  constructor(private readonly life: MortalProcess) {
    super();
  }

  override writeFileAtomic(root: string, path: Below, bytes: Uint8Array | string, rule: WriteRule = {}) {
    this.life.step(`write ${shown(path)}`);
    try {
      return super.writeFileAtomic(root, path, bytes, {
        ...rule,
        ifStill: () => {
          this.life.step(`put ${shown(path)} in its place`);
          return rule.ifStill?.() ?? true;
        },
      });
    } catch (error) {
      // Nobody clears up behind a dead process.
      if (error instanceof Killed) leave(join(root, shown(path)), bytes);
      throw error;
    } finally {
      if (!this.life.isDead()) this.life.step('go on after a write');
    }
  }

  override mkdir(root: string, path: string): void {
    this.life.step(`make ${path}`);
    super.mkdir(root, path);
  }

  override removeFile(root: string, path: Below, rule?: Pick<WriteRule, 'ifStill'>): boolean {
    this.life.step(`remove ${shown(path)}`);
    const removed = super.removeFile(root, path, rule);
    this.life.step('go on after a removal');
    return removed;
  }

  override removeEmptyFolder(root: string, path: Below): boolean {
    this.life.step(`remove the folder ${shown(path)}`);
    return super.removeEmptyFolder(root, path);
  }

  override removeTemporaries(root: string, folder: Below, olderThanMs?: number): void {
    this.life.step(`clear up in ${shown(folder)}`);
    super.removeTemporaries(root, folder, olderThanMs);
  }
}

function shown(path: Below): string {
  return typeof path === 'string' ? path : join(...path);
}

/** What was written of a file before it took its place. */
function leave(place: string, bytes: Uint8Array | string): void {
  const temporary = join(dirname(place), '.skw-0123456789abcdef');
  writeFileSync(temporary, bytes);
  const yesterday = Date.now() / 1000 - 86_400;
  utimesSync(temporary, yesterday, yesterday);
}
