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
import { type SkillSource, type SkillVisitor, walkSkill } from './skill-walk.service.js';

export interface FolderLimits {
  readonly skillFiles: number;
  readonly skillBytes: number;
  readonly fileBytes: number;
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

/**
 * Lists and hashes a skill's folder; bounded by the limits whatever lies there.
 *
 * @param keep takes the bytes of each file of the manifest
 */
export function* readManifest(
  files: WorkspaceFiles,
  source: SkillSource,
  limits: FolderLimits,
  keep: (file: SkillFile, bytes: Buffer) => void = () => undefined,
): Sliced<FolderManifest> {
  const reader = new ManifestReader(files, source, limits, keep);
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

class ManifestReader implements SkillVisitor {
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
    private readonly keep: (file: SkillFile, bytes: Buffer) => void,
  ) {}

  *run(): Sliced<FolderManifest> {
    yield* walkSkill(this.files, this.source, this);
    const files = [...this.found.values()].sort((a, b) =>
      Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
    );
    const { places, findings, stamps, folders } = this;
    return { files, places, findings, stamps, folders };
  }

  enterFolder(dir: string): void {
    const stamp = this.files.stamp(dir);
    if (stamp !== null) this.stamps.set(dir, stamp);
    this.folders.push(dir);
  }

  meet(item: FolderItem, path: string, place: string): 'kept' | 'left_out' | 'stop' {
    this.addItem(item, path, place);
    if (this.full) return 'stop';
    return this.found.has(path) ? 'kept' : 'left_out';
  }

  remark(remark: Finding): void {
    this.findings.push(remark);
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
    const file = describeFile(path, read);
    this.found.set(path, file);
    this.keep(file, read.bytes);
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
