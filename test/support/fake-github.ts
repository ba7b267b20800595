import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Fetch } from '../../src/github-import/github/guarded-fetch.adapter.js';
import { tarGzipOf } from './tar-bytes.js';

export interface FakeFile {
  readonly path: string;
  readonly content?: string | Buffer;
  /** `100644` unless said. */
  readonly mode?: '100644' | '100755' | '120000' | '160000';
}

export interface FakeAnswer {
  /** The how-manieth request, from 1, or part of its path. */
  readonly on: number | string;
  readonly times?: number;
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface FakeRepository {
  readonly owner?: string;
  readonly repo?: string;
  readonly id?: number;
  /** Only this token may read it. */
  readonly token?: string;
  readonly defaultBranch?: string;
  /** Branch or tag -> commit. */
  readonly refs?: Record<string, string>;
  readonly files: readonly FakeFile[];
  /** Recursive listings of the root are cut, and say so. */
  readonly truncated?: boolean;
  readonly answers?: readonly FakeAnswer[];
  /** Other bytes than the tree names. */
  readonly tampered?: { readonly archive?: readonly string[]; readonly blob?: readonly string[] };
}

export interface FakeRequest {
  /** `api`, `raw` or `codeload`. */
  readonly host: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const HOSTS: Record<string, string> = {
  'https://api.github.com': '/api',
  'https://raw.githubusercontent.com': '/raw',
  'https://codeload.github.com': '/codeload',
};

/** A GitHub with one repository: its API, its host of raw files and its host of archives, on one local port. */
export class FakeGitHub {
  readonly requests: FakeRequest[] = [];
  /** Asked for through `fetch`, but no host of GitHub. */
  readonly strangers: string[] = [];
  #repository: FakeRepository = { files: [] };
  #served = new Map<FakeAnswer, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeGitHub> {
    const server = createServer();
    const fake = new FakeGitHub(server);
    server.on('request', (request, response) => {
      fake.#answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Takes the place of the network: the names of GitHub lead here, no other name leads anywhere. */
  readonly fetch: Fetch = (url, init) => {
    const { origin } = new URL(url);
    const below = HOSTS[origin];
    if (below !== undefined) return fetch(this.url + below + url.slice(origin.length), init);
    this.strangers.push(origin);
    return Promise.reject(new Error(`no route to ${origin}`));
  };

  serve(repository: FakeRepository): void {
    this.#repository = repository;
    this.requests.length = 0;
    this.strangers.length = 0;
    this.#served = new Map();
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) =>
      this.server.close(() => {
        closed();
      }),
    );
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = decodeURIComponent(request.url ?? '');
    const [, host = '', path = ''] = /^\/(\w+)(.*)$/.exec(url) ?? [];
    this.requests.push({ host, path, authorization: request.headers.authorization });
    const forced = this.#forced(path);
    if (forced !== null) {
      response.writeHead(forced.status, { 'content-type': 'application/json', ...forced.headers });
      response.end(forced.body ?? '{}');
      return;
    }
    const { token } = this.#repository;
    const sent = request.headers.authorization?.replace(/^(Bearer|token) /, '');
    if (host === 'api' && sent !== undefined && token !== undefined && sent !== token) {
      json(response, 401, {});
      return;
    }
    if (host === 'api' && token !== undefined && sent === undefined) {
      json(response, 404, {});
      return;
    }
    if (host === 'api') this.#api(path, response);
    else if (host === 'raw') this.#raw(path, response);
    else if (host === 'codeload') this.#archive(response);
    else json(response, 404, {});
  }

  #forced(path: string): FakeAnswer | null {
    for (const answer of this.#repository.answers ?? []) {
      const { on, times = 1 } = answer;
      const isMeant = typeof on === 'number' ? on <= this.requests.length : path.includes(on);
      const served = this.#served.get(answer) ?? 0;
      if (!isMeant || served >= times) continue;
      this.#served.set(answer, served + 1);
      return answer;
    }
    return null;
  }

  #api(path: string, response: ServerResponse): void {
    const { owner = 'acorn', repo = 'kit', id = 7, token, defaultBranch = 'main' } = this.#repository;
    const top = `/repos/${owner}/${repo}`;
    if (!path.startsWith(top)) {
      json(response, 404, {});
      return;
    }
    const [route = '', query = ''] = path.slice(top.length).split('?');
    if (route === '') {
      const isPrivate = token !== undefined;
      json(response, 200, {
        id,
        default_branch: defaultBranch,
        private: isPrivate,
        full_name: `${owner}/${repo}`,
      });
      return;
    }
    const commit = /^\/commits\/(.+)$/.exec(route)?.[1];
    if (commit !== undefined) {
      const refs = { [defaultBranch]: COMMIT, [COMMIT]: COMMIT, ...this.#repository.refs };
      const sha = refs[commit];
      if (sha === undefined) json(response, 422, {});
      else text(response, sha);
      return;
    }
    const tree = /^\/git\/trees\/(.+)$/.exec(route)?.[1];
    if (tree !== undefined) {
      this.#tree(tree, query.includes('recursive'), response);
      return;
    }
    const blob = /^\/git\/blobs\/(.+)$/.exec(route)?.[1];
    if (blob !== undefined) {
      this.#blob(blob, response);
      return;
    }
    if (route.startsWith('/tarball/')) {
      response.writeHead(302, {
        location: `https://codeload.github.com/${owner}/${repo}/tar.gz/${COMMIT}?token=temporary`,
      });
      response.end();
      return;
    }
    json(response, 404, {});
  }

  #tree(sha: string, recursive: boolean, response: ServerResponse): void {
    const { files, truncated = false } = this.#repository;
    const folders = new Set(['']);
    for (const { path } of files) {
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        folders.add(path.slice(0, at));
    }
    const folder = [...folders].find((one) => one !== '' && treeHash(one) === sha) ?? '';
    const prefix = folder === '' ? '' : `${folder}/`;
    const rows = [
      ...[...folders]
        .filter((one) => one !== '')
        .map((path) => ({ path, mode: '040000', type: 'tree', sha: treeHash(path) })),
      ...files.map((file) => ({
        path: file.path,
        mode: file.mode ?? '100644',
        type: file.mode === '160000' ? 'commit' : 'blob',
        sha: blobHash(file),
        ...(file.mode !== '160000' && { size: bytesOf(file).length }),
      })),
    ];
    const shown = rows
      .filter(
        ({ path }) => path.startsWith(prefix) && (recursive || !path.slice(prefix.length).includes('/')),
      )
      .map((row) => ({ ...row, path: row.path.slice(prefix.length) }));
    const isCut = recursive && truncated && folder === '';
    json(response, 200, { sha, tree: isCut ? shown.slice(0, 2) : shown, truncated: isCut });
  }

  #blob(sha: string, response: ServerResponse): void {
    const { files, tampered } = this.#repository;
    const file = files.find((one) => blobHash(one) === sha);
    if (file === undefined) {
      json(response, 404, {});
      return;
    }
    const bytes = tampered?.blob?.includes(file.path) === true ? Buffer.from('tampered') : bytesOf(file);
    const content = bytes.toString('base64').replace(/.{60}/g, '$&\n');
    json(response, 200, { sha, size: bytes.length, encoding: 'base64', content });
  }

  #raw(path: string, response: ServerResponse): void {
    const { files, tampered } = this.#repository;
    const file = files.find((one) => path.endsWith(`/${COMMIT}/${one.path}`));
    if (file === undefined) {
      json(response, 404, {});
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(tampered?.archive?.includes(file.path) === true ? 'tampered' : bytesOf(file));
  }

  #archive(response: ServerResponse): void {
    const { files, tampered } = this.#repository;
    const entries = files.map((file) => ({
      name: `kit-${COMMIT}/${file.path}`,
      data: tampered?.archive?.includes(file.path) === true ? 'tampered' : bytesOf(file),
      ...(file.mode === '120000' && { type: '2', linkName: String(file.content), data: '' }),
    }));
    response.writeHead(200, { 'content-type': 'application/x-gzip' });
    response.end(tarGzipOf(entries));
  }
}

function bytesOf({ content = '' }: FakeFile): Buffer {
  return Buffer.from(content as string);
}

function blobHash(file: FakeFile): string {
  const bytes = bytesOf(file);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function treeHash(path: string): string {
  return createHash('sha1').update(`tree ${path}`).digest('hex');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function text(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/vnd.github.sha; charset=utf-8' });
  response.end(body);
}
