import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import { containsPath } from './paths.js';
import { errorCode } from './regular-file.adapter.js';
import { type Sliced } from './time-slices.js';

export interface WatcherEvents {
  /** Something in this watched folder changed; a hint, never the truth. */
  readonly onHint: (dir: string) => void;
  /** The system gives no more watches; none is left. */
  readonly onFailure: (because: string) => void;
  /** Whether changes of a file or folder of this name matter. */
  readonly isInteresting: (name: string) => boolean;
}

/**
 * One `fs.watch` per directory: cheap at ten thousand folders and, unlike recursive watching, not deaf after a
 * folder was swapped.
 */
export class DirectoryWatcher {
  private readonly watches = new Map<string, FSWatcher>();

  constructor(private readonly events: WatcherEvents) {}

  get size(): number {
    return this.watches.size;
  }

  /**
   * Watches exactly these directories from now on.
   *
   * @returns how many are watched that were not before: what changed in them until now went unseen
   */
  *follow(dirs: ReadonlySet<string>): Sliced<number> {
    for (const [dir, watching] of this.watches) {
      if (dirs.has(dir)) continue;
      watching.close();
      this.watches.delete(dir);
    }
    let added = 0;
    for (const dir of dirs) {
      if (this.watches.has(dir)) continue;
      const result = this.add(dir);
      if (result === 'failed') return added;
      if (result === 'watching') added++;
      yield;
    }
    return added;
  }

  close(): void {
    for (const watching of this.watches.values()) watching.close();
    this.watches.clear();
  }

  private add(dir: string): 'watching' | 'gone' | 'failed' {
    try {
      const own = basename(dir);
      const watching = watch(dir, { persistent: false }, (kind, name) => {
        // The folder itself was removed or moved away; another one may stand in its place by now.
        if (kind === 'rename' && name === own) this.forget(dir);
        if (name === null || this.events.isInteresting(name)) this.events.onHint(dir);
      });
      watching.on('error', () => {
        this.forget(dir);
        this.events.onHint(dir);
      });
      this.watches.set(dir, watching);
      return 'watching';
    } catch (error) {
      const code = errorCode(error);
      if (code === '') throw error;
      // Gone since it was listed: the next pass sees that. Anything else is a limit of the system.
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return 'gone';
      this.close();
      this.events.onFailure(code);
      return 'failed';
    }
  }

  /** Drops the watches of a folder and of all below it, so that the next `follow` sets them anew. */
  private forget(dir: string): void {
    for (const [path, watching] of this.watches) {
      if (!containsPath(dir, path)) continue;
      watching.close();
      this.watches.delete(path);
    }
  }
}
