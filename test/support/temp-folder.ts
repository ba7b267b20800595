import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A scratch folder of one test; `remove()` in `afterEach`. */
export class TempFolder {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'skillwright-test-')));

  path(...below: string[]): string {
    return join(this.dir, ...below);
  }

  /** Writes a file and the folders above it. Older than the clock step of any file system, unless `fresh`. */
  write(path: string, content: string | Uint8Array, options: { fresh?: boolean; mode?: number } = {}): void {
    const target = this.path(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    if (options.mode !== undefined) chmodSync(target, options.mode);
    if (options.fresh !== true) this.age(path);
  }

  /** A valid skill; `folder` is relative to the scratch folder, `skills/pdf`. */
  skill(folder: string, text: { name?: string; description?: string; body?: string } = {}): void {
    const name = text.name ?? folder.slice(folder.lastIndexOf('/') + 1);
    const description = text.description ?? `Helps with ${name}.`;
    const body = text.body ?? `Follow the steps of ${name}.`;
    this.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`);
  }

  /** Puts the modification time a minute back, each time by another amount, or to the given time. */
  age(path: string, to?: Date): void {
    const seconds = to === undefined ? Date.now() / 1000 - 60 + this.aged++ / 100 : to.getTime() / 1000;
    utimesSync(this.path(path), seconds, seconds);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  removeFile(path: string): void {
    rmSync(this.path(path));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private aged = 0;
}
