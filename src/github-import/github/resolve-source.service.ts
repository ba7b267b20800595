import { SkillwrightError } from '../../kernel/errors.js';
import { type RefAndPath } from '../github-ref.js';
import { type GitHubSource } from '../github-url.js';
import { type GitHubClient, type GitHubRepository } from './github-client.adapter.js';
import { type GitEntry, type GitTree, lookUp, type PathLook } from './git-tree.js';

/** A folder of a repository at one commit, with everything below it. */
export interface ResolvedSource {
  readonly repository: GitHubRepository;
  readonly ref: string;
  readonly commit: string;
  /** Folder that was asked for; empty for the root. */
  readonly path: string;
  /** Git hash of that folder's tree; empty when the answer did not hold it. */
  readonly tree: string;
  /** Paths relative to the repository; never cut. */
  readonly entries: readonly GitEntry[];
}

/** Requests for single folders, where a repository is too large to be listed at once. */
const MAX_WALK = 100;

/**
 * Finds out which commit and folder an address means. The ref is resolved first, and everything after asks by commit,
 * so that a branch which moves meanwhile changes nothing.
 *
 * @param ref in place of the one in the address.
 * @throws SkillwrightError `source_not_found`, `source_url_invalid`, `source_too_large`, or what the client throws.
 */
export async function resolveSource(
  client: GitHubClient,
  source: GitHubSource,
  ref: string | null,
): Promise<ResolvedSource> {
  const repository = await askRepository(client, source);
  const ways = waysOf(source, ref, repository.default_branch);
  let failure: SkillwrightError | null = null;
  for (const way of ways) {
    const commit = await client.commit(way.ref);
    if (commit === null) continue;
    const tree = await client.tree(commit, { recursive: true });
    const found = tree.truncated
      ? await walkTo(client, commit, way.path)
      : { look: lookUp(tree, way.path), tree };
    if (found.look.kind === 'folder') {
      const { look } = found;
      const entries = found.tree.tree;
      return { repository, ref: way.ref, commit, path: look.path, tree: look.sha, entries };
    }
    failure ??= pathError(source, way, found.look);
  }
  if (failure !== null) throw failure;
  const names = ways.map((way) => way.ref);
  throw new SkillwrightError('source_not_found', {
    reason: 'ref',
    detail: `${source.owner}/${source.repo} has no branch, tag or commit ${names.map((name) => `"${name}"`).join(' or ')}`,
  });
}

async function askRepository(client: GitHubClient, { owner, repo }: GitHubSource): Promise<GitHubRepository> {
  try {
    return await client.repository();
  } catch (error) {
    if (!SkillwrightError.is(error) || error.code !== 'source_not_found') throw error;
    throw new SkillwrightError('source_not_found', {
      ...error.facts,
      reason: 'repository',
      detail: `${owner}/${repo}: ${error.message}`,
    });
  }
}

interface Way extends RefAndPath {
  readonly ref: string;
}

function waysOf({ refAndPath }: GitHubSource, wanted: string | null, defaultBranch: string): readonly Way[] {
  if (wanted === null) return refAndPath.map((way) => ({ ref: way.ref ?? defaultBranch, path: way.path }));
  const fitting = refAndPath.filter(({ ref }) => ref === null || ref === wanted);
  if (fitting.length > 0) return fitting.map(({ path }) => ({ ref: wanted, path }));
  throw new SkillwrightError('source_url_invalid', {
    field: 'ref',
    reason: 'form',
    detail: `ref: the address names another branch, tag or commit than "${wanted}"`,
  });
}

function pathError({ owner, repo }: GitHubSource, { ref, path }: Way, look: PathLook): SkillwrightError {
  const where = `"${path}" at ${ref} of ${owner}/${repo}`;
  return look.kind === 'file'
    ? new SkillwrightError('source_not_found', {
        reason: 'not_a_folder',
        detail: `${where} is a file; name a folder, or the SKILL.md itself with blob/…`,
      })
    : new SkillwrightError('source_not_found', { reason: 'path', detail: `there is no folder ${where}` });
}

/** Goes down to the folder, whose own tree may be small enough, and lists it folder by folder where it is not. */
async function walkTo(
  client: GitHubClient,
  commit: string,
  path: string,
): Promise<{ readonly look: PathLook; readonly tree: GitTree }> {
  let level = await client.tree(commit, { recursive: false });
  let at = '';
  for (const segment of path === '' ? [] : path.split('/')) {
    const look = lookUp(level, segment);
    if (look.kind !== 'folder') return { look, tree: level };
    at = at === '' ? look.path : `${at}/${look.path}`;
    level = await client.tree(look.sha, { recursive: false });
  }
  const { sha } = level;
  const whole = await client.tree(sha, { recursive: true });
  const tree = whole.truncated ? await walkAll(client, level) : whole.tree;
  const entries = tree.map((entry) => (at === '' ? entry : { ...entry, path: `${at}/${entry.path}` }));
  return { look: { kind: 'folder', path: at, sha }, tree: { sha, tree: entries, truncated: false } };
}

async function walkAll(client: GitHubClient, top: GitTree): Promise<GitEntry[]> {
  const entries: GitEntry[] = [];
  const queue = [{ prefix: '', tree: top }];
  let asked = 0;
  for (const { prefix, tree } of queue) {
    for (const entry of tree.tree) {
      const path = prefix + entry.path;
      entries.push({ ...entry, path });
      if (entry.type !== 'tree') continue;
      asked += 1;
      if (asked > MAX_WALK) {
        throw new SkillwrightError('source_too_large', {
          detail: 'the folder is too large to be listed; name a folder further down',
        });
      }
      queue.push({ prefix: `${path}/`, tree: await client.tree(entry.sha, { recursive: false }) });
    }
  }
  return entries;
}
