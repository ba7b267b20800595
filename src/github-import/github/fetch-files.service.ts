import { SkillwrightError } from '../../kernel/errors.js';
import { type SourceFile } from '../stage-skill.js';
import { unpackTarGzip } from '../archive/tar-gzip.adapter.js';
import { type TarSink } from '../archive/tar-parser.js';
import { gitBlobHash } from './git-hash.js';
import { type GitFile } from './git-tree.js';
import { type GitHubClient } from './github-client.adapter.js';

/** Up to so many files are asked for one by one over the API, which counts requests. */
const AS_BLOBS = 20;
/** And up to so many by commit and path, which is not counted; more come in one archive. */
const AS_RAW = 300;
const AT_ONCE = 6;
/** Unpacked bytes of a whole repository that are read past, looking for a few files. */
const ARCHIVE_BYTES = 1024 * 1_048_576;

export interface FetchRequest {
  readonly commit: string;
  readonly isPrivate: boolean;
  readonly canRaw: boolean;
  readonly files: readonly GitFile[];
  readonly fileBytes: number;
}

/**
 * The bytes of every file, each with the hash that the tree gives it. All or nothing.
 *
 * @throws SkillwrightError `source_unavailable` naming the file, `source_too_large`, or what the client throws.
 */
export async function fetchFiles(client: GitHubClient, request: FetchRequest): Promise<Map<string, Buffer>> {
  const { files, commit, isPrivate, canRaw, fileBytes } = request;
  const found = new Map<string, Buffer>();
  const keep = (file: GitFile, bytes: Buffer | null): void => {
    if (bytes !== null && gitBlobHash(bytes, file.sha) === file.sha) found.set(file.path, bytes);
  };
  if (files.length > AS_BLOBS) {
    // The host of raw files knows no token.
    if (canRaw && !isPrivate && files.length <= AS_RAW) {
      await eachAtOnce(files, async (file) => {
        keep(file, await client.raw(commit, file.path, fileBytes));
      });
    } else {
      await fetchArchive(client, request, keep);
    }
  }
  // An archive may hold other bytes than the tree, where attributes say so; then the file itself is asked for.
  const missing = files.filter(({ path }) => !found.has(path));
  await eachAtOnce(missing, async (file) => {
    keep(file, await fetchBlob(client, file, fileBytes));
    if (!found.has(file.path)) {
      throw new SkillwrightError('source_unavailable', {
        path: file.path,
        detail: `the bytes of ${file.path} are not those that the repository names`,
      });
    }
  });
  return found;
}

async function fetchBlob(client: GitHubClient, { path, sha }: GitFile, fileBytes: number): Promise<Buffer> {
  try {
    return await client.blob(sha, fileBytes);
  } catch (error) {
    if (!SkillwrightError.is(error)) throw error;
    // The tree named it a moment ago, so that it is missing now is no mistake of the caller.
    const code = error.code === 'source_not_found' ? 'source_unavailable' : error.code;
    throw new SkillwrightError(code, {
      ...error.facts,
      path,
      detail: `${path} was not fetched: ${error.message}`,
    });
  }
}

async function fetchArchive(
  client: GitHubClient,
  { commit, isPrivate, files, fileBytes }: FetchRequest,
  keep: (file: GitFile, bytes: Buffer) => void,
): Promise<void> {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const stream = await client.archive(commit, isPrivate);
  if (stream === null) return;
  const pathOf = (name: string): string => name.slice(name.indexOf('/') + 1);
  const sink: TarSink = {
    choose: ({ name, type, size }) =>
      type === '0' && wanted.has(pathOf(name)) && size <= fileBytes ? 'take' : 'skip',
    take: ({ name }, bytes) => {
      const file = wanted.get(pathOf(name));
      if (file !== undefined) keep(file, bytes);
      wanted.delete(pathOf(name));
    },
  };
  try {
    await unpackTarGzip(stream, sink, { maxBytes: ARCHIVE_BYTES, enough: () => wanted.size === 0 });
  } catch (error) {
    // A damaged archive is not the caller's, and the files in it can be had one by one.
    if (!SkillwrightError.is(error) || !error.code.startsWith('archive_')) throw error;
  }
}

/** Ends when nothing of it runs any more, also after a failure; what was not begun by then is left. */
async function eachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}

/** The files of one skill, its paths made relative to its folder. */
export function sourceFiles(
  folder: string,
  files: readonly GitFile[],
  bytes: ReadonlyMap<string, Buffer>,
): SourceFile[] {
  return files.map(({ path, mode }) => ({
    path: folder === '' ? path : path.slice(folder.length + 1),
    mode,
    bytes: bytes.get(path) ?? Buffer.alloc(0),
  }));
}
