import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { finding, type Finding } from '../../kernel/finding.js';
import { parseSkill } from '../../skills/format/parse-skill.js';
import { runSliced } from '../../workspace/time-slices.js';
import { MemberPaths } from '../archive/member-paths.js';
import { archiveError } from '../archive/opened-archive.js';
import { type GitHubSource } from '../github-url.js';
import { findSkillFolders, pathInFolder, selectFolders } from '../skill-folders.js';
import { stageSkill } from '../stage-skill.js';
import {
  type ImportCandidate,
  type ImportChoice,
  type ImportSource,
  requireChosen,
  type StagedImport,
} from '../staged-import.js';
import { type StagedSkill } from '../staged-skill.js';
import { fetchFiles, sourceFiles } from './fetch-files.service.js';
import { isLfsPointer } from './git-hash.js';
import { folderContents, type GitEntry, type GitFile } from './git-tree.js';
import { type GitHubClient } from './github-client.adapter.js';
import { type GitHubHost } from './github-hosts.js';
import { findMarketplace, type MarketplaceSkills, readMarketplace } from './marketplace.js';
import { type ResolvedSource, resolveSource } from './resolve-source.service.js';

export interface GitHubRequest {
  readonly source: GitHubSource;
  readonly host: GitHubHost;
  readonly ref: string | null;
  readonly choice: ImportChoice;
  readonly limits: SkillwrightOptions['limits'];
  /** Whether the token that is sent may be used for a repository that not everybody sees. */
  readonly privateAllowed: boolean;
}

/** Names and descriptions are shown of so many skills; of the rest only their folders. */
const SHOWN_HEADS = 40;

/**
 * Stages the chosen skills of a repository.
 *
 * @throws SkillwrightError `source_*`, `token_rejected`, `skill_md_missing`, `skill_md_ambiguous`, `bad_request`
 */
export async function stageGitHub(client: GitHubClient, request: GitHubRequest): Promise<StagedImport> {
  const resolved = await resolveSource(client, request.source, request.ref);
  if (resolved.repository.private && !request.privateAllowed) {
    throw new SkillwrightError('source_not_found', {
      reason: 'repository',
      detail: `${request.source.owner}/${request.source.repo}: it is not there, or private and needs a token of yours`,
    });
  }
  return new GitHubStaging(client, request, resolved).run();
}

class GitHubStaging {
  readonly #source: ImportSource;
  readonly #contents;

  constructor(
    private readonly client: GitHubClient,
    private readonly request: GitHubRequest,
    private readonly resolved: ResolvedSource,
  ) {
    const { host, owner, repo } = request.source;
    const { repository, ref, commit, path } = resolved;
    const { id: repositoryId, private: isPrivate } = repository;
    this.#source = { kind: 'github', host, owner, repo, repositoryId, isPrivate, ref, commit, path };
    this.#contents = folderContents(resolved.entries, resolved.path);
  }

  async run(): Promise<StagedImport> {
    const marketplace = await this.#marketplace();
    const { choice, source } = this.request;
    const select = choice.select ?? (source.skill === null ? null : [source.skill]);
    const candidates = await this.#candidates(select, marketplace);
    const chosen = requireChosen(this.#source, candidates, selectFolders(candidates, select), choice);
    const skills: StagedSkill[] = [];
    for (const folder of chosen) skills.push(await this.#stage(folder));
    return { source: this.#source, candidates, skills, findings: marketplace.findings };
  }

  async #marketplace(): Promise<MarketplaceSkills> {
    const { files } = this.#contents;
    const file = findMarketplace(files, this.resolved.path);
    if (file === undefined) return { pluginOf: () => null, findings: [] };
    const bytes = (await this.#fetch([file])).get(file.path) ?? Buffer.alloc(0);
    return readMarketplace(bytes, file.path, findSkillFolders(files.map(({ path }) => path)));
  }

  /** An address that names the folder of a skill means that skill, and what lies in it is part of it. */
  async #candidates(
    select: readonly string[] | null,
    { pluginOf }: MarketplaceSkills,
  ): Promise<ImportCandidate[]> {
    const { path } = this.resolved;
    const found = findSkillFolders(this.#contents.files.map((file) => file.path));
    const itself = found.filter((folder) => folder.path === path);
    const isNamed = path !== '' || this.request.source.pointsAt === 'skill_file';
    const folders = isNamed && itself.length > 0 && select === null ? itself : found;
    const unnamed = folders.map((folder) => ({
      ...folder,
      name: null,
      description: null,
      plugin: pluginOf(folder.path),
    }));
    // A choice by folder needs no names, and each name costs a request.
    if (folders.length <= 1 || selectFolders(unnamed, select).kind === 'chosen') return unnamed;
    return this.#named(unnamed);
  }

  async #named(folders: readonly ImportCandidate[]): Promise<ImportCandidate[]> {
    const { limits } = this.request;
    const files = new Map(this.#contents.files.map((file) => [file.path, file]));
    const fileOf = ({ path, fileName }: ImportCandidate): GitFile | undefined =>
      files.get(path === '' ? fileName : `${path}/${fileName}`);
    const wanted = folders
      .slice(0, SHOWN_HEADS)
      .flatMap((folder) => fileOf(folder) ?? [])
      .filter(({ size }) => size <= limits.skillMdBytes);
    const bytes = await this.#fetch(wanted);
    return folders.map((folder) => {
      const text = bytes.get(fileOf(folder)?.path ?? '');
      if (text === undefined) return folder;
      const { name, description } = parseSkill(text, { limits }).frontmatter;
      return { ...folder, name, description };
    });
  }

  async #stage({ path, fileName }: ImportCandidate): Promise<StagedSkill> {
    const { choice, limits } = this.request;
    const remarks: Finding[] = [];
    const relative = (inRepository: string): string | null => pathInFolder(path, inRepository);
    for (const link of this.#contents.links) {
      const at = relative(link);
      if (at !== null)
        remarks.push(finding('link_skipped', { path: at, hint: 'links of a repository are not followed' }));
    }
    for (const submodule of this.#contents.submodules) {
      const at = relative(submodule);
      if (at !== null) remarks.push(finding('submodule_skipped', { path: at }));
    }
    const files = this.#contents.files.filter((file) => relative(file.path) !== null);
    this.#requireAcceptable(path, files);
    const bytes = await this.#fetch(files);
    for (const file of files) {
      const at = relative(file.path);
      if (at !== null && isLfsPointer(bytes.get(file.path) ?? Buffer.alloc(0))) {
        remarks.push(finding('lfs_pointer', { path: at }));
      }
    }
    const staging = stageSkill({
      path,
      fileName,
      files: sourceFiles(path, files, bytes),
      provenance: this.#provenance(path),
      as: choice.as,
      limits,
      remarks,
    });
    return runSliced(staging);
  }

  /** Names, counts and sizes by the tree alone, before anything is fetched. */
  #requireAcceptable(folder: string, files: readonly GitFile[]): void {
    const { limits } = this.request;
    const tooLarge = (detail: string): SkillwrightError =>
      new SkillwrightError('source_too_large', { detail });
    if (files.length > limits.skillFiles) {
      throw tooLarge(`the skill has ${files.length} files; ${limits.skillFiles} are allowed`);
    }
    const paths = new MemberPaths();
    let total = 0;
    for (const { path, size } of files) {
      const check = paths.add(folder === '' ? path : path.slice(folder.length + 1), false);
      if (check.kind === 'refused') throw archiveError({ ...check, entry: path });
      total += size;
      if (size > limits.fileBytes) {
        throw tooLarge(`${path} has ${size} bytes; a file may have ${limits.fileBytes}`);
      }
    }
    if (total > limits.skillBytes) {
      throw tooLarge(`the skill has ${total} bytes; ${limits.skillBytes} are allowed`);
    }
  }

  #fetch(files: readonly GitFile[]): Promise<Map<string, Buffer>> {
    const { commit, repository } = this.resolved;
    const { host, limits } = this.request;
    return fetchFiles(this.client, {
      commit,
      isPrivate: repository.private,
      canRaw: host.raw !== null,
      files,
      fileBytes: limits.fileBytes,
    });
  }

  #provenance(path: string): StagedSkill['provenance'] {
    const { host, owner, repo } = this.request.source;
    const { commit, ref, repository, entries } = this.resolved;
    const below = path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
    const tree =
      path === this.resolved.path
        ? this.resolved.tree
        : (entries.find((entry) => isTree(entry, path))?.sha ?? '');
    return {
      origin: 'github',
      url: `${this.request.host.web}/${owner}/${repo}/tree/${commit}${below}`,
      host,
      owner,
      repo,
      repositoryId: repository.id,
      ref,
      commit,
      path,
      tree: tree === '' ? null : tree,
    };
  }
}

function isTree(entry: GitEntry, path: string): boolean {
  return entry.type === 'tree' && entry.path === path;
}
