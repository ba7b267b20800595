import { relative } from 'node:path';
import { SkillwrightError } from '../kernel/errors.js';
import { errorCode } from '../workspace/regular-file.adapter.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { type AccessRequest, decideAccess } from './decide-access.js';
import { type GuardGrants } from './guard-grants.js';
import { type GuardGround } from './guard-roots.js';
import { resolvePath } from './resolve-path.js';

/** A file that a tool wants to read or write. */
export interface GuardedFile {
  /** Absolute, or relative to `cwd`. */
  readonly path: string;
  /** Absolute, or relative to the workspace, which it is by default. */
  readonly cwd?: string | undefined;
  readonly grants: GuardGrants;
}

/** What the system says when a folder is moved while a file is made in it, or may not be entered. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM']);

/**
 * Reads and writes for tools, so that the file that was judged is the file that is opened: a path is resolved first,
 * the place it leads to is judged, and what was opened has to lie at that very place.
 */
export class GuardedFiles {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly groundOf: (grants: GuardGrants) => GuardGround,
  ) {}

  read(file: GuardedFile, maxBytes: number): Buffer {
    const { place } = this.#judge(file, 'read');
    const read = this.files.read(place, { within: [place], maxBytes });
    if (read.kind === 'ok') return read.bytes;
    if (read.reason === 'missing')
      throw new SkillwrightError('file_not_found', { detail: 'there is no such file' });
    if (read.reason === 'too_large') throw new SkillwrightError('file_too_large', { detail: read.because });
    throw denied(read.because);
  }

  write(file: GuardedFile, bytes: Uint8Array | string): void {
    const { place, ground } = this.#judge(file, 'write');
    try {
      this.files.writeFileAtomic(ground.root, relative(ground.root, place), bytes);
    } catch (error) {
      // A folder on the way became a link, or a file became a folder.
      if (SkillwrightError.is(error) && error.code === 'path_invalid') throw denied(error.message);
      if (!SkillwrightError.is(error) && GONE.has(errorCode(error)))
        throw denied('a folder on the way is gone or closed');
      throw error;
    }
  }

  #judge(
    { path, cwd, grants }: GuardedFile,
    operation: 'read' | 'write',
  ): { readonly place: string; readonly ground: GuardGround } {
    const ground = this.groundOf(grants);
    const asked: AccessRequest = { operation, path, cwd };
    const first = decideAccess(asked, grants, ground);
    if (!first.allow) throw denied(first.because.text);
    const from = resolvePath(cwd ?? '.', {
      from: ground.root,
      look: ground.look,
      root: ground.root,
      followLast: true,
    });
    const rules = {
      from: from.kind === 'ok' ? from.path : ground.root,
      look: ground.look,
      root: ground.root,
    };
    const resolved = resolvePath(path, { ...rules, followLast: true });
    if (resolved.kind === 'refused') throw denied(resolved.because);
    // Links may have changed since the first look: what counts is this place.
    const second = decideAccess({ operation, path: resolved.path }, grants, ground);
    if (!second.allow) throw denied(second.because.text);
    return { place: resolved.path, ground };
  }
}

function denied(because: string): SkillwrightError {
  return new SkillwrightError('guard_denied', { detail: because });
}
