import { type SkillwrightOptions } from '../config/options.js';
import { findBuiltin } from '../builtins/registry.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { runSliced } from '../workspace/time-slices.js';
import { openArchive } from './archive/archive.adapter.js';
import { ImportSlots } from './import-slots.js';
import { compareFiles, type ExistingSkill, judgeImport, type JudgedSkill } from './import-verdict.js';
import { stageArchive } from './stage-archive.service.js';
import { type ImportChoice, type StagedImport } from './staged-import.js';
import { type StagedSkill } from './staged-skill.js';

/** Brings skills in as far as memory; what is kept of them is decided elsewhere. */
export class ImportService {
  /** Taken by whoever holds an archive, before it is read. */
  readonly slots: ImportSlots;

  constructor(
    private readonly options: SkillwrightOptions,
    private readonly catalog: CatalogService,
  ) {
    this.slots = new ImportSlots(options.limits.imports);
  }

  /**
   * Opens a zip, `.skill` or tar.gz in memory and stages the chosen skills.
   *
   * @throws SkillwrightError `archive_*`, `skill_md_missing`, `skill_md_ambiguous`, `bad_request`
   */
  async stageArchive(bytes: Buffer, choice: ImportChoice): Promise<StagedImport> {
    const { limits } = this.options;
    const archive = await openArchive(bytes, {
      entries: limits.archiveEntries,
      fileBytes: limits.fileBytes,
      totalBytes: limits.skillBytes,
    });
    return runSliced(stageArchive(archive, bytes, choice, limits));
  }

  /** What an import of the staged skill would do to the workspace as it is now. */
  async judge(staged: StagedSkill, { replace }: { readonly replace: boolean }): Promise<JudgedSkill> {
    const { slug } = staged;
    const existing = slug === null ? null : await this.#findExisting(slug);
    const reserved = slug !== null && findBuiltin(slug) !== undefined;
    const shadowsBundled = this.catalog
      .snapshot()
      .entries.some((entry) => entry.slug === slug && entry.layer === 'bundled');
    const verdict = judgeImport(staged, { existing, reserved, replace });
    return { staged, existing, shadowsBundled, changes: compareFiles(staged, existing), verdict };
  }

  async #findExisting(slug: string): Promise<ExistingSkill | null> {
    const { entries } = this.catalog.snapshot();
    const entry = entries.find((one) => one.slug === slug && one.layer === 'workspace');
    if (entry === undefined) return null;
    const { id, version } = entry;
    if (version === 0) return { id, slug, version, digest: null, files: [] };
    const { digest, files } = await this.catalog.content(entry);
    return { id, slug, version, digest, files };
  }
}
