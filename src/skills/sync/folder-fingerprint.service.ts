import { hash } from 'node:crypto';
import { type Finding } from '../../kernel/finding.js';
import { type FolderItem, isUndisturbed } from '../../workspace/file-facts.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type SkillSource, type SkillVisitor, walkSkill } from '../discovery/skill-walk.service.js';

/** What a stat pass over a skill's folder saw, without opening a file. */
export interface FolderFingerprint {
  /** Equal exactly as long as no file of the skill was changed, added, removed, renamed or made executable. */
  readonly fingerprint: string;
  /**
   * False while a file is younger than a step of the file system's clock: a second write may leave its stamp as it
   * is, so the fingerprint must not be kept as proof of bytes.
   */
  readonly settled: boolean;
  /** Absolute paths of the folders looked at, to be watched. */
  readonly folders: readonly string[];
}

/**
 * Looks at every file of a skill by the rules of `readManifest`, without opening one.
 *
 * @param now milliseconds since the epoch
 * @returns null when the folder is gone, or is a link or a file by now
 */
export function* fingerprintFolder(
  files: WorkspaceFiles,
  source: SkillSource,
  now: number = Date.now(),
): Sliced<FolderFingerprint | null> {
  if (files.kind(source.dir) !== 'folder') return null;
  const stamps = new StampCollector(files, now);
  yield* walkSkill(files, source, stamps);
  return stamps.result();
}

class StampCollector implements SkillVisitor {
  // The walk meets everything in the same order each time. No name holds a NUL.
  private seen = '';
  private settled = true;
  private readonly folders: string[] = [];

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly now: number,
  ) {}

  enterFolder(dir: string): void {
    this.folders.push(dir);
  }

  meet(item: FolderItem, path: string, place: string): 'kept' {
    this.seen += `${path}\0${item.kind}\0`;
    if (item.kind === 'file') this.addStamp(place);
    if (item.kind === 'link') this.addLink(place);
    return 'kept';
  }

  remark(remark: Finding): void {
    this.seen += `${remark.path ?? ''}\0${remark.code}\0${remark.found ?? remark.hint ?? ''}\0`;
  }

  result(): FolderFingerprint {
    const { settled, folders } = this;
    return { fingerprint: hash('sha256', this.seen, 'base64url').slice(0, 22), settled, folders };
  }

  /** The bytes behind a link are its target's. */
  private addLink(place: string): void {
    this.addStamp(place);
    const target = this.files.resolve(place);
    this.seen += `${target?.path ?? ''}\0${target?.kind ?? ''}\0`;
    if (target?.kind === 'file') this.addStamp(target.path);
  }

  private addStamp(place: string): void {
    const facts = this.files.facts(place);
    if (facts === null) {
      this.seen += '\0';
      return;
    }
    if (!isUndisturbed(facts, this.now)) this.settled = false;
    this.seen += `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs} ${facts.mode}\0`;
  }
}
