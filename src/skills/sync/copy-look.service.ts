import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { isPartOfSkill } from '../discovery/not-part.js';
import { type CopyVerdict, foldersAbove, type Look } from './copy-acts.js';

/** Looks at single places of one skill's folder; follows no folder that is a link. */
export class CopyLook {
  constructor(
    private readonly files: WorkspaceFiles,
    /** Absolute, without links. */
    private readonly dir: string,
    private readonly maxBytes: number,
  ) {}

  at(path: string): Look {
    for (const folder of ['', ...foldersAbove(path).toReversed()]) {
      const kind = this.files.kind(this.place(folder));
      if (kind === null) return { kind: 'absent' };
      if (kind === 'file' && folder !== '') return { kind: 'below_file', path: folder };
      if (kind !== 'folder') return { kind: 'foreign', because: 'a folder on the way is none, or is a link' };
    }
    const kind = this.files.kind(this.place(path));
    switch (kind) {
      case null:
        return { kind: 'absent' };
      case 'folder':
        return { kind };
      case 'other':
        return { kind: 'foreign', because: 'it is no regular file' };
      case 'file':
      case 'link':
        return this.read(path, kind === 'link');
    }
  }

  isLink(path: string): boolean {
    return this.files.kind(this.place(path)) === 'link';
  }

  /** What lies in a folder, besides the given files, and would be lost with it. */
  *strangersIn(folder: string, known: ReadonlySet<string>): Sliced<readonly CopyVerdict[]> {
    const found: CopyVerdict[] = [];
    const queue = [folder];
    for (const below of queue) {
      const listing = this.files.list(this.place(below));
      for (const { name, kind } of listing.kind === 'ok' ? listing.items : []) {
        const path = `${below}/${name}`;
        if (known.has(path)) continue;
        if (!isPartOfSkill(name) || (kind !== 'file' && kind !== 'folder')) {
          found.push({ kind: 'blocked', path, because: 'it is no part of the skill and in the way' });
        } else if (kind === 'folder') queue.push(path);
        else found.push({ kind: 'changed', path });
      }
      yield;
    }
    return found;
  }

  private read(path: string, isLink: boolean): Look {
    const place = this.place(path);
    if (isLink) {
      const target = this.files.resolve(place);
      const isOfSkill = target !== null && relative(this.dir, target.path).split(sep).every(isPartOfSkill);
      if (!isOfSkill) return { kind: 'foreign', because: 'it is a link to something else' };
    }
    const { maxBytes } = this;
    const links = isLink ? 'follow' : 'refuse';
    const read = this.files.read(place, { within: [this.dir], maxBytes, links, hardLinks: 'refuse' });
    if (read.kind === 'ok') {
      const sha256 = createHash('sha256').update(read.bytes).digest('hex');
      return { kind: 'file', sha256, mode: read.mode, isLink };
    }
    if (read.reason === 'missing') return { kind: 'absent' };
    return { kind: 'foreign', because: read.because };
  }

  private place(path: string): string {
    return path === '' ? this.dir : `${this.dir}/${path}`;
  }
}
