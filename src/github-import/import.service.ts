import { type SkillwrightOptions } from '../config/options.js';
import { findBuiltin } from '../builtins/registry.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { SkillwrightError } from '../kernel/errors.js';
import { runSliced } from '../workspace/time-slices.js';
import { openArchive } from './archive/archive.adapter.js';
import { isRef } from './github-ref.js';
import { parseGitHubUrl } from './github-url.js';
import { GitHubClient } from './github/github-client.adapter.js';
import { type GitHubHost, gitHubHosts } from './github/github-hosts.js';
import { type Outside } from './github/guarded-fetch.adapter.js';
import { RateLimitStop } from './github/rate-limit-stop.js';
import { stageGitHub } from './github/stage-github.service.js';
import { ImportSlots } from './import-slots.js';
import { compareFiles, type ExistingSkill, judgeImport, type JudgedSkill } from './import-verdict.js';
import { stageArchive } from './stage-archive.service.js';
import { type ImportChoice, type StagedImport } from './staged-import.js';
import { type StagedSkill } from './staged-skill.js';

export interface GitHubAddress {
  /** As a person pastes it; see `parseGitHubUrl`. */
  readonly url: string;
  /** Branch, tag or commit in place of the one in the address. */
  readonly ref: string | null;
  /** Of the caller; used for this import alone. */
  readonly token: string | null;
  /** Whether the service's own token may read private repositories for this caller. */
  readonly mayUseServiceToken: boolean;
}

const DEADLINE_MS = 60_000;

const OUTSIDE: Outside = {
  fetch: (url, init) => fetch(url, init),
  now: Date.now,
  sleep: (ms) => new Promise((resume) => setTimeout(resume, ms)),
  random: Math.random,
};

/** Brings skills in as far as memory; what is kept of them is decided elsewhere. */
export class ImportService {
  /** Taken by whoever holds an archive, before it is read. */
  readonly slots: ImportSlots;
  readonly #stop = new RateLimitStop();
  readonly #hosts: readonly GitHubHost[];

  constructor(
    private readonly options: SkillwrightOptions,
    private readonly catalog: CatalogService,
    private readonly outside: Outside = OUTSIDE,
  ) {
    this.slots = new ImportSlots(options.limits.imports);
    this.#hosts = gitHubHosts(options);
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

  /**
   * Fetches a repository's skills into memory and stages the chosen ones.
   *
   * @throws SkillwrightError `source_*`, `token_rejected`, `skill_md_missing`, `skill_md_ambiguous`, `bad_request`, `busy`
   */
  async stageGitHub(address: GitHubAddress, choice: ImportChoice): Promise<StagedImport> {
    const source = parseGitHubUrl(address.url, this.#hosts);
    if (source.kind === 'invalid') {
      throw new SkillwrightError('source_url_invalid', {
        field: 'url',
        reason: source.reason,
        detail: `url: ${source.because}`,
      });
    }
    const { ref } = address;
    if (ref !== null && !isRef(ref)) {
      const detail = 'ref: not the name of a branch, tag or commit';
      throw new SkillwrightError('source_url_invalid', { field: 'ref', reason: 'form', detail });
    }
    const host = this.#hosts.find((one) => one.host === source.host);
    if (host === undefined) throw new TypeError(`no configured host ${source.host}`);
    const token = address.token ?? host.token;
    const tokenOf = address.token !== null ? 'caller' : token !== null ? 'service' : 'none';
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const { outside, options } = this;
    const guard = { host, token, tokenOf, stop: this.#stop, outside, deadline } as const;
    const client = new GitHubClient(guard, source.owner, source.repo);
    const privateAllowed = tokenOf !== 'service' || address.mayUseServiceToken;
    const leave = this.slots.enter();
    try {
      return await stageGitHub(client, { source, host, ref, choice, limits: options.limits, privateAllowed });
    } finally {
      leave();
    }
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
