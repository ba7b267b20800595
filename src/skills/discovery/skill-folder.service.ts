import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { type Finding, finding, quoteFound } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import {
  type FileRead,
  type RefusalReason,
  type FileStamp,
  type FolderItem,
  sameStamp,
} from '../../workspace/file-facts.js';
import { splitRelativePath } from '../../workspace/paths.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { isPartOfSkill } from './not-part.js';
import { type SkillFile } from './skill-entry.js';

const MAX_DEPTH = 16;

export interface FolderLimits {
  readonly skillFiles: number;
  readonly skillBytes: number;
  readonly fileBytes: number;
}

/** Where a skill's files come from. */
export interface SkillSource {
  /** Absolute, without links. */
  readonly dir: string;
  /** Files shared by all bundled skills, delivered at `scripts/_shared`; null for other skills. */
  readonly sharedDir: string | null;
  /** Whether a file with a second hard link is accepted: only where nobody but the operator writes. */
  readonly trusted: boolean;
}

/** Every file that belongs to a skill, hashed, and what must stay equal for that to remain true. */
export interface FolderManifest {
  /** By path bytes. */
  readonly files: readonly SkillFile[];
  /** Where a file lies when that is not its path in the skill's folder: a link's target, a shared file. */
  readonly places: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  /** Absolute path -> stamp of each file and folder looked at. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** Absolute paths of the folders among them. */
  readonly folders: readonly string[];
}

/** Lists and hashes a skill's folder; bounded by the limits whatever lies there. */
export function* readManifest(
  files: WorkspaceFiles,
  source: SkillSource,
  limits: FolderLimits,
): Sliced<FolderManifest> {
  const reader = new ManifestReader(files, source, limits);
  return yield* reader.run();
}

/** Whether every file and folder is still as it was when the manifest was made. */
export function* isManifestCurrent(files: WorkspaceFiles, manifest: FolderManifest): Sliced<boolean> {
  for (const [path, stamp] of manifest.stamps) {
    const now = files.stamp(path);
    if (now === null || !sameStamp(now, stamp)) return false;
    yield;
  }
  return true;
}

const REFUSAL_CODES: Readonly<Record<RefusalReason, FindingCode>> = {
  missing: 'file_unreadable',
  unreadable: 'file_unreadable',
  link: 'link_skipped',
  outside: 'link_skipped',
  hard_link: 'file_not_regular',
  not_regular: 'file_not_regular',
  too_large: 'file_too_large',
};

class ManifestReader {
  private readonly found = new Map<string, SkillFile>();
  private readonly places = new Map<string, string>();
  private readonly stamps = new Map<string, FileStamp>();
  private readonly folders: string[] = [];
  private readonly findings: Finding[] = [];
  private bytes = 0;
  private full = false;

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly source: SkillSource,
    private readonly limits: FolderLimits,
  ) {}

  *run(): Sliced<FolderManifest> {
    const { dir, sharedDir } = this.source;
    yield* this.readTree(dir, '');
    if (sharedDir !== null && [...this.found.keys()].some((path) => path.startsWith('scripts/'))) {
      yield* this.readTree(sharedDir, 'scripts/_shared');
    }
    const files = [...this.found.values()].sort((a, b) =>
      Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
    );
    const { places, findings, stamps, folders } = this;
    return { files, places, findings, stamps, folders };
  }

  private *readTree(top: string, prefix: string): Sliced<undefined> {
    const queue: { dir: string; path: string; depth: number }[] = [{ dir: top, path: prefix, depth: 1 }];
    for (const { dir, path, depth } of queue) {
      for (const item of this.listFolder(dir, path)) {
        if (this.full) return;
        if (!isPartOfSkill(item.name)) continue;
        const below = path === '' ? item.name : `${path}/${item.name}`;
        const place = join(dir, item.name);
        if (item.kind !== 'folder') this.addItem(item, below, place);
        else if (depth < MAX_DEPTH) queue.push({ dir: place, path: below, depth: depth + 1 });
        else
          this.findings.push(
            finding('walk_limit', { path: below, hint: `not deeper than ${MAX_DEPTH} folders` }),
          );
        yield;
      }
    }
  }

  private listFolder(dir: string, path: string): readonly FolderItem[] {
    const stamp = this.files.stamp(dir);
    if (stamp !== null) this.stamps.set(dir, stamp);
    this.folders.push(dir);
    const listing = this.files.list(dir);
    if (listing.kind === 'missing') return [];
    if (listing.kind === 'unreadable') {
      this.findings.push(finding('folder_unreadable', { path, hint: listing.because }));
      return [];
    }
    for (const name of listing.unreadableNames) {
      this.findings.push(finding('file_name_unreadable', { path, found: quoteFound(name) }));
    }
    return listing.items;
  }

  private addItem(item: FolderItem, path: string, place: string): void {
    // The skill's own file comes first; a shared one of the same path does not replace it.
    if (this.found.has(path)) return;
    const check = splitRelativePath(path);
    if (check.kind === 'unsafe') {
      // Listed, it could not be asked for: every door refuses such a path.
      const message = `The file was left out: ${check.because}.`;
      const folder = path.slice(0, Math.max(0, path.length - item.name.length - 1));
      this.findings.push(
        finding('file_name_unreadable', { path: folder, message, found: quoteFound(item.name) }),
      );
    } else if (item.kind === 'other') {
      this.findings.push(finding('file_not_regular', { severity: 'warning', path }));
    } else if (item.kind === 'link') {
      this.addLink(path, place);
    } else {
      this.addFile(path, place);
    }
  }

  /** A link to a file of the same skill, or of the shared folder, is a copy of it; any other is left out. */
  private addLink(path: string, place: string): void {
    const stamp = this.files.stamp(place);
    if (stamp !== null) this.stamps.set(place, stamp);
    const target = this.files.resolve(place);
    if (target?.kind === 'file' && this.isPart(target.path)) {
      this.addFile(path, target.path);
    } else {
      const hint = target === null ? 'it points nowhere' : 'only a link to a file of the same skill is kept';
      this.findings.push(finding('link_skipped', { path, hint }));
    }
  }

  /** Whether no part of the way to a link's target is left out of skills: `.git/config` is not. */
  private isPart(target: string): boolean {
    return relative(this.source.dir, target).split(sep).every(isPartOfSkill);
  }

  private addFile(path: string, place: string): void {
    const { source, limits } = this;
    const read = this.files.read(place, {
      within: source.sharedDir === null ? [source.dir] : [source.dir, source.sharedDir],
      maxBytes: limits.fileBytes,
      hardLinks: source.trusted ? 'accept' : 'refuse',
    });
    if (read.kind === 'refused') {
      const message = `The file was left out: ${read.because}.`;
      this.findings.push(finding(REFUSAL_CODES[read.reason], { severity: 'warning', path, message }));
      return;
    }
    if (this.found.size >= limits.skillFiles || this.bytes + read.bytes.length > limits.skillBytes) {
      this.full = true;
      const hint = `at most ${limits.skillFiles} files and ${limits.skillBytes} bytes`;
      this.findings.push(finding('skill_too_large', { path, hint }));
      return;
    }
    this.bytes += read.bytes.length;
    this.stamps.set(place, read.stamp);
    if (place !== join(source.dir, path)) this.places.set(path, place);
    this.found.set(path, describeFile(path, read));
  }
}

export function describeFile(
  path: string,
  file: Pick<FileRead & { kind: 'ok' }, 'bytes' | 'mode'>,
): SkillFile {
  const { bytes, mode } = file;
  return {
    path,
    size: bytes.length,
    mode,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    kind: !bytes.includes(0) && isUtf8(bytes) ? 'text' : 'binary',
  };
}
