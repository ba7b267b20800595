import { Readable } from 'node:stream';
import { z } from 'zod';
import { SkillwrightError } from '../../kernel/errors.js';
import { type GitTree, gitTreeSchema } from './git-tree.js';
import {
  GuardedFetch,
  type GuardOptions,
  isSilence,
  refusalIn,
  timeout,
  watched,
} from './guarded-fetch.adapter.js';

const JSON_BYTES = 16 * 1_048_576;
const TRIES_AFTER_THE_FIRST = 2;
const RETRY_BASE_MS = 500;
/** Neither asked again: they say the same every time. What is limited, the guard has judged already. */
const FINAL = [400, 401, 403, 404, 409, 410, 413, 422, 429, 451];
const MISSING: ReadonlySet<unknown> = new Set([404, 410, 422]);
const SILENT_LOG = { debug: noop, info: noop, warn: noop, error: noop };

const repositorySchema = z.object({
  id: z.number().int(),
  default_branch: z.string().min(1),
  private: z.boolean().default(false),
  full_name: z.string().optional(),
});
const commitSchema = z.union([z.string().trim().regex(HASH()), z.object({ sha: z.string().regex(HASH()) })]);
const blobSchema = z.object({ content: z.string(), encoding: z.literal('base64') });

export type GitHubRepository = z.output<typeof repositorySchema>;

interface Asking {
  request(route: string, parameters: Record<string, unknown>): Promise<{ data: unknown }>;
}

/** One repository of one GitHub, read over its API; see `GuardedFetch` for what it may connect to. */
export class GitHubClient {
  readonly #guard: GuardedFetch;
  #octokit: Promise<Asking> | null = null;

  constructor(
    private readonly options: GuardOptions,
    private readonly owner: string,
    private readonly repo: string,
  ) {
    this.#guard = new GuardedFetch(options);
  }

  repository(): Promise<GitHubRepository> {
    return this.#json('GET /repos/{owner}/{repo}', {}, repositorySchema);
  }

  /** Hash of the commit that a branch, tag or hash stands for; null when there is none. */
  async commit(ref: string): Promise<string | null> {
    // Only the hash is asked for: a whole answer would bring the differences of the commit along.
    const accept = { headers: { accept: 'application/vnd.github.sha' }, ref };
    const found = await missingIsNull(
      this.#json('GET /repos/{owner}/{repo}/commits/{ref}', accept, commitSchema),
    );
    return typeof found === 'object' ? (found?.sha ?? null) : found;
  }

  tree(sha: string, { recursive }: { readonly recursive: boolean }): Promise<GitTree> {
    const route = `GET /repos/{owner}/{repo}/git/trees/{sha}${recursive ? '?recursive=1' : ''}`;
    return this.#json(route, { sha }, gitTreeSchema);
  }

  /** Bytes of a file by its git hash. */
  async blob(sha: string, maxBytes: number): Promise<Buffer> {
    // Base64 with its line breaks, and the JSON around it.
    const most = Math.ceil(maxBytes * 1.4) + 4096;
    const { content } = await this.#json(
      'GET /repos/{owner}/{repo}/git/blobs/{sha}',
      { sha },
      blobSchema,
      most,
    );
    return Buffer.from(content, 'base64');
  }

  /** Bytes of a file of a public repository by commit and path; null when it cannot be had this way. */
  async raw(commit: string, path: string, maxBytes: number): Promise<Buffer | null> {
    const { raw } = this.options.host;
    if (raw === null) return null;
    const url = `${raw}/${this.owner}/${this.repo}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const body = await missingIsNull(this.#body(url, this.#guard.whole(maxBytes)));
    if (body === null) return null;
    return Buffer.from(await new Response(body).arrayBuffer());
  }

  /** The repository at a commit as tar.gz; null when it cannot be had. */
  async archive(commit: string, isPrivate: boolean): Promise<Readable | null> {
    const { archives, api } = this.options.host;
    const url =
      archives === null || isPrivate
        ? `${api}/repos/${this.owner}/${this.repo}/tarball/${commit}`
        : `${archives}/${this.owner}/${this.repo}/tar.gz/${commit}`;
    const body = await missingIsNull(this.#body(url, this.#guard.streaming()));
    return body === null ? null : Readable.from(watched(body));
  }

  async #json<Schema extends z.ZodType>(
    route: string,
    parameters: Record<string, unknown>,
    schema: Schema,
    maxBytes = JSON_BYTES,
  ): Promise<z.output<Schema>> {
    const { data } = await this.#request(route, {
      ...parameters,
      owner: this.owner,
      repo: this.repo,
      request: { fetch: this.#guard.whole(maxBytes) },
    });
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    throw new SkillwrightError('source_unavailable', {
      detail: 'GitHub answered in a shape that is not known',
    });
  }

  async #body(url: string, fetch: unknown): Promise<ReadableStream<Uint8Array>> {
    const { data } = await this.#request(`GET ${url}`, {
      request: { fetch, parseSuccessResponseBody: false },
    });
    return (data as ReadableStream<Uint8Array> | null) ?? new Response('').body ?? new ReadableStream();
  }

  async #request(route: string, parameters: Record<string, unknown>): Promise<{ data: unknown }> {
    const octokit = await (this.#octokit ??= this.#load());
    try {
      return await octokit.request(route, parameters);
    } catch (error) {
      throw translate(error);
    }
  }

  /** Octokit is an ES module only, and nobody waits for it who does not import. */
  async #load(): Promise<Asking> {
    const [{ Octokit }, { retry }, { throttling }] = await Promise.all([
      import('@octokit/rest'),
      import('@octokit/plugin-retry'),
      import('@octokit/plugin-throttling'),
    ]);
    const { host, outside } = this.options;
    return new (Octokit.plugin(retry, throttling))({
      baseUrl: host.api,
      userAgent: 'skillwright',
      log: SILENT_LOG,
      retry: {
        doNotRetry: FINAL,
        retries: TRIES_AFTER_THE_FIRST,
        retryAfterBaseValue: RETRY_BASE_MS * outside.random(),
      },
      // It holds the number of requests at once down. Limits are judged by the guard, which never waits for long.
      throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false },
    });
  }
}

function HASH(): RegExp {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
}

function noop(): void {
  // Nothing of what Octokit says belongs into anybody's log: it holds addresses and headers.
}

async function missingIsNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (SkillwrightError.is(error) && MISSING.has(error.facts['status'])) return null;
    throw error;
  }
}

/** Only what we say ourselves goes on: the errors of Octokit carry requests with their headers. */
function translate(error: unknown): SkillwrightError {
  for (
    let at: unknown = error;
    typeof at === 'object' && at !== null;
    at = (at as { cause?: unknown }).cause
  ) {
    const refusal = refusalIn(at);
    if (refusal !== null) return refusal;
    if (isSilence(at)) return timeout();
  }
  const { status, response } = error as { status?: number; response?: unknown };
  const because = response === undefined ? 'the connection failed' : `it answered with status ${status ?? 0}`;
  return new SkillwrightError('source_unavailable', {
    detail: `GitHub cannot be asked: ${because}`,
    retryAfter: 30,
  });
}
