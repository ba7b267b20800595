import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { splitRelativePath } from '../../workspace/paths.js';
import { skillFileAmong } from '../discovery/not-part.js';
import {
  type SkillContent,
  type SkillEntry,
  type SkillFile,
  type SkillFileContent,
} from '../discovery/skill-entry.js';
import { parseSkill } from '../format/parse-skill.js';
import { type SkillDocument } from '../format/skill-document.js';
import { type BlobStore } from '../store/blob.store.js';
import { type SkillStore } from '../store/skill.store.js';
import { ContentCache } from './content-cache.js';

/** Contents of stored versions. They are immutable, so what was read once holds for good. */
export class StoredContents {
  private readonly cache = new ContentCache<string>();
  private readonly loading = new Map<string, Promise<SkillContent>>();

  constructor(
    private readonly skills: SkillStore,
    private readonly blobs: BlobStore,
    private readonly limits: SkillwrightOptions['limits'],
  ) {}

  /** The content, if it was read before and is still at hand. */
  peek(digest: string): SkillContent | undefined {
    return this.cache.get(digest);
  }

  /** @throws SkillwrightError `db_unavailable` */
  async load(entry: SkillEntry, digest: string): Promise<SkillContent> {
    const ready = this.peek(digest);
    if (ready !== undefined) return ready;
    let running = this.loading.get(digest);
    if (running === undefined) {
      running = this.read(entry, digest).finally(() => this.loading.delete(digest));
      this.loading.set(digest, running);
    }
    return running;
  }

  /** @throws SkillwrightError `path_invalid`, `file_not_found`, `db_unavailable` */
  async readFile(entry: SkillEntry, digest: string, path: string): Promise<SkillFileContent> {
    const check = splitRelativePath(path);
    if (check.kind === 'unsafe') {
      throw new SkillwrightError('path_invalid', { detail: `the path is not acceptable: ${check.because}` });
    }
    const { files } = await this.load(entry, digest);
    const file = files.find((candidate) => candidate.path === path);
    if (file === undefined) {
      const detail = `the skill ${entry.slug} has no file ${path}`;
      throw new SkillwrightError('file_not_found', { slug: entry.slug, path, detail });
    }
    return { ...file, bytes: await this.blobs.read(file.sha256) };
  }

  /** The whole SKILL.md with all findings. @throws SkillwrightError `db_unavailable` */
  async readDocument(entry: SkillEntry, digest: string): Promise<SkillDocument> {
    return this.parse(entry, await this.blobs.read(mainOf(await this.manifest(digest)).sha256));
  }

  private async read(entry: SkillEntry, digest: string): Promise<SkillContent> {
    const files = await this.manifest(digest);
    const main = mainOf(files);
    const document = this.parse(entry, await this.blobs.read(main.sha256));
    const known = new Set(entry.findings.map(({ code, line }) => `${code}:${line ?? ''}`));
    const content: SkillContent = {
      digest,
      fileHash: main.sha256,
      body: document.body,
      files: [main, ...files.filter((file) => file !== main)],
      findings: document.findings.filter(({ code, line }) => !known.has(`${code}:${line ?? ''}`)),
    };
    this.cache.set(digest, content);
    return content;
  }

  private async manifest(digest: string): Promise<readonly SkillFile[]> {
    const manifest = await this.skills.manifest(digest);
    if (manifest === null)
      throw new SkillwrightError('internal', { detail: `no version has the digest ${digest}` });
    return manifest;
  }

  private parse({ folderName, filePath: path }: SkillEntry, bytes: Buffer): SkillDocument {
    return parseSkill(bytes, { folderName, path, limits: this.limits });
  }
}

function mainOf(files: readonly SkillFile[]): SkillFile {
  const name = skillFileAmong(files.map(({ path }) => path));
  const main = files.find(({ path }) => path === name);
  if (main === undefined) throw new SkillwrightError('internal', { detail: 'a version without SKILL.md' });
  return main;
}
