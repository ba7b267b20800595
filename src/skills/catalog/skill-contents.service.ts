import { join } from 'node:path';
import { findBuiltin } from '../../builtins/registry.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding } from '../../kernel/finding.js';
import { type FileRead } from '../../workspace/file-facts.js';
import { splitRelativePath } from '../../workspace/paths.js';
import { runSliced, type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type SkillContent, type SkillEntry, type SkillFileContent } from '../discovery/skill-entry.js';
import {
  describeFile,
  type FolderManifest,
  isManifestCurrent,
  readManifest,
} from '../discovery/skill-folder.service.js';
import { contentDigest } from '../format/content-digest.js';
import { parseSkill } from '../format/parse-skill.js';
import { type SkillDocument } from '../format/skill-document.js';
import { ContentCache } from './content-cache.js';

/** What is kept of a read folder for good: enough to notice a change. Texts lie in a cache of limited size. */
interface KnownFolder {
  readonly digest: string;
  readonly manifest: FolderManifest;
}

type FileBytes = Pick<FileRead & { kind: 'ok' }, 'bytes' | 'mode'>;

// A folder that keeps changing under the reader is given up after so many tries.
const MAX_TRIES = 3;

/** Digests, bodies and files of skills, read on demand and kept until their folder changes. */
export class SkillContents {
  private readonly known = new WeakMap<SkillEntry, KnownFolder>();
  private readonly cache = new ContentCache<SkillEntry>();
  private readonly loading = new Map<SkillEntry, Promise<SkillContent>>();
  /** Entries whose folder turned out to be another one while it was read again. */
  private readonly outdated = new WeakSet<SkillEntry>();

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly limits: SkillwrightOptions['limits'],
    /** Real folder shared by the skills of this entry's layer, or null. */
    private readonly sharedDirOf: (entry: SkillEntry) => string | null,
  ) {}

  has(entry: SkillEntry): boolean {
    return this.known.has(entry);
  }

  /** Folders whose change would change the digest that was told; empty when none was. */
  foldersOf(entry: SkillEntry): readonly string[] {
    return this.known.get(entry)?.manifest.folders ?? [];
  }

  /** The content, if it was read before and is still at hand. */
  peek(entry: SkillEntry): SkillContent | undefined {
    return this.cache.get(entry);
  }

  /** @throws SkillwrightError `skill_not_found` when its SKILL.md is gone or cannot be read */
  async load(entry: SkillEntry): Promise<SkillContent> {
    const ready = this.peek(entry);
    if (ready !== undefined) return ready;
    let running = this.loading.get(entry);
    if (running === undefined) {
      running = runSliced(this.read(entry)).finally(() => this.loading.delete(entry));
      this.loading.set(entry, running);
    }
    return running;
  }

  /** @throws SkillwrightError `path_invalid`, `file_not_found`, `skill_not_found` */
  async readFile(entry: SkillEntry, path: string): Promise<SkillFileContent> {
    const check = splitRelativePath(path);
    if (check.kind === 'unsafe') {
      throw new SkillwrightError('path_invalid', { detail: `the path is not acceptable: ${check.because}` });
    }
    const { files } = await this.load(entry);
    const listed = files.some((file) => file.path === path);
    const read = listed ? (builtinFile(entry, path) ?? this.readBytes(entry, path)) : null;
    if (read === null || 'reason' in read) {
      const detail = `the skill ${entry.slug} has no file ${path}`;
      throw new SkillwrightError('file_not_found', { slug: entry.slug, path, detail });
    }
    return describe(path, read);
  }

  /** Lets another entry object of an unchanged folder answer from the same cache. */
  share(from: SkillEntry, to: SkillEntry): void {
    const known = this.known.get(from);
    const content = this.cache.get(from);
    if (known !== undefined) this.known.set(to, known);
    if (content !== undefined) this.cache.set(to, content);
  }

  /**
   * Looks whether a folder that was read still holds the same bytes, whatever its time stamps say.
   *
   * @returns false when the digest is another one now; the new content is not kept.
   */
  *isCurrent(entry: SkillEntry): Sliced<boolean> {
    const known = this.known.get(entry);
    if (known === undefined || entry.dir === null) return true;
    if (this.outdated.has(entry)) return false;
    if (yield* isManifestCurrent(this.files, known.manifest)) return true;
    const manifest = yield* readManifest(this.files, this.source(entry, entry.dir), this.limits);
    if (contentDigest(manifest.files) !== known.digest) return false;
    this.known.set(entry, { digest: known.digest, manifest });
    return true;
  }

  private *read(entry: SkillEntry): Sliced<SkillContent> {
    if (entry.dir === null) return this.readBuiltin(entry);
    for (let tries = 1; ; tries++) {
      const manifest = yield* readManifest(this.files, this.source(entry, entry.dir), this.limits);
      const main = this.readMain(entry);
      const file = manifest.files.find((candidate) => candidate.path === entry.fileName);
      const whole =
        describe(entry.fileName, main).sha256 === file?.sha256 &&
        (yield* isManifestCurrent(this.files, manifest));
      if (!whole && tries < MAX_TRIES) continue;
      return this.keep(entry, manifest, main.bytes);
    }
  }

  private keep(entry: SkillEntry, manifest: FolderManifest, skillMd: Buffer): SkillContent {
    const { fileName } = entry;
    const main = manifest.files.filter((file) => file.path === fileName);
    const document = this.parse(entry, skillMd);
    const digest = contentDigest(manifest.files);
    const before = this.known.get(entry);
    if (before !== undefined && before.digest !== digest) this.outdated.add(entry);
    const content: SkillContent = {
      digest,
      fileHash: main[0]?.sha256 ?? '',
      body: document.body,
      files: [...main, ...manifest.files.filter((file) => file.path !== fileName)],
      findings: [...newFindings(document.findings, entry.findings), ...manifest.findings],
    };
    this.known.set(entry, { digest, manifest });
    this.cache.set(entry, content);
    return content;
  }

  private readBuiltin(entry: SkillEntry): SkillContent {
    const paths = ['SKILL.md', ...(findBuiltin(entry.slug)?.files ?? []).map((file) => file.path)];
    const files = paths.flatMap((path) => {
      const file = builtinFile(entry, path);
      return file === null ? [] : [describeFile(path, file)];
    });
    const manifest = { files, places: new Map(), findings: [], stamps: new Map(), folders: [] };
    return this.keep(entry, manifest, this.readMain(entry).bytes);
  }

  /** The document as it is on disk now. */
  readDocument(entry: SkillEntry): SkillDocument {
    return this.parse(entry, this.readMain(entry).bytes);
  }

  private readMain(entry: SkillEntry): FileBytes {
    const read = builtinFile(entry, entry.fileName) ?? this.readBytes(entry, entry.fileName);
    if (!('reason' in read)) return read;
    throw new SkillwrightError('skill_not_found', {
      slug: entry.slug,
      detail: `${entry.filePath} cannot be read: ${read.because}`,
    });
  }

  private parse(entry: SkillEntry, bytes: Buffer): SkillDocument {
    const { folderName, filePath: path } = entry;
    return parseSkill(bytes, { folderName, path, limits: this.limits });
  }

  private readBytes(entry: SkillEntry, path: string): FileRead {
    const source = this.source(entry, entry.dir ?? '');
    const place = this.known.get(entry)?.manifest.places.get(path) ?? join(source.dir, path);
    return this.files.read(place, {
      within: source.sharedDir === null ? [source.dir] : [source.dir, source.sharedDir],
      maxBytes: path === entry.fileName ? this.limits.skillMdBytes : this.limits.fileBytes,
      // SKILL.md may be a link to another file of the skill; discovery said so already.
      links: path === entry.fileName ? 'follow' : 'refuse',
      hardLinks: source.trusted ? 'accept' : 'refuse',
    });
  }

  private source(
    entry: SkillEntry,
    dir: string,
  ): { dir: string; sharedDir: string | null; trusted: boolean } {
    return { dir, sharedDir: this.sharedDirOf(entry), trusted: entry.layer === 'bundled' };
  }
}

function builtinFile(entry: SkillEntry, path: string): FileBytes | null {
  const skill = entry.layer === 'builtin' ? findBuiltin(entry.slug) : undefined;
  if (skill === undefined) return null;
  if (path === 'SKILL.md') return { bytes: Buffer.from(skill.skillMd), mode: '0644' };
  const file = skill.files.find((candidate) => candidate.path === path);
  return file === undefined ? null : { bytes: Buffer.from(file.text), mode: file.mode };
}

function describe(path: string, file: FileBytes): SkillFileContent {
  return { ...describeFile(path, file), bytes: file.bytes };
}

function newFindings(found: readonly Finding[], told: readonly Finding[]): Finding[] {
  const known = new Set(told.map((remark) => JSON.stringify(remark)));
  return found.filter((remark) => !known.has(JSON.stringify(remark)));
}
