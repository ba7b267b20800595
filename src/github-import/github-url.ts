import { type RefAndPath, splitRefAndPath } from './github-ref.js';

/** A web address of GitHub whose pages are accepted, and what belongs to it. */
export interface GitHubSite {
  /** `https://github.com`; plain http only where it is configured so. */
  readonly web: string;
  /** Host of raw files, `raw.githubusercontent.com`; null where there is none. */
  readonly rawHost: string | null;
}

export const PUBLIC_GITHUB: GitHubSite = {
  web: 'https://github.com',
  rawHost: 'raw.githubusercontent.com',
};

/** What a pasted address names. */
export interface GitHubSource {
  /** Lower case, with the port where it is not the usual one: `github.com`. */
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /**
   * Where the address may be cut, shortest ref first: a ref can hold slashes, so only the repository knows.
   * `ref` null: the default branch. `path` empty: the root.
   */
  readonly refAndPath: readonly RefAndPath[];
  /** The skill of `owner/repo@skill`; null when none is named. */
  readonly skill: string | null;
  /** `skill_file`: the address is that of a SKILL.md, and `path` is its folder. */
  readonly pointsAt: 'folder' | 'skill_file';
}

export type GitHubUrlCheck =
  | ({ readonly kind: 'ok' } & GitHubSource)
  | {
      readonly kind: 'invalid';
      /** `host`: well written, but of a site that is not imported from. */
      readonly reason: 'form' | 'host';
      readonly because: string;
    };

const MAX_LENGTH = 2048;
// Blanks and controls, also those that other URL parsers drop; what shows nothing; and the backslash.
const UNPASTABLE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i;
const OWNER = /^[a-z0-9](?:[a-z0-9_-]{0,38})$/i;
const REPO = /^[a-z0-9._-]{1,100}$/i;

/**
 * Reads an address as people paste it: `tree/…`, `blob/…/SKILL.md`, a repository, `owner/repo`, `owner/repo/path`,
 * `owner/repo@skill`. The text is judged as it stands, so that nothing a URL parser would fold away slips through;
 * no connection is made.
 *
 * @param sites GitHub itself unless others are configured.
 * @example
 * parseGitHubUrl('https://github.com/acme/tools/tree/main/skills/csv')
 * // { kind: 'ok', host: 'github.com', owner: 'acme', repo: 'tools', skill: null, pointsAt: 'folder',
 * //   refAndPath: [{ ref: 'main', path: 'skills/csv' }, { ref: 'main/skills', path: 'csv' }, …] }
 */
export function parseGitHubUrl(text: string, sites: readonly GitHubSite[] = [PUBLIC_GITHUB]): GitHubUrlCheck {
  const trimmed = text.trim();
  if (trimmed === '') return wrong('it is empty');
  if (trimmed.length > MAX_LENGTH) return wrong(`it is longer than ${MAX_LENGTH} characters`);
  if (UNPASTABLE.test(trimmed)) return wrong('it holds a blank, a backslash or an invisible character');
  const [address = ''] = trimmed.split(/[?#]/, 1);
  const [, scheme, rest] = SCHEME.exec(address) ?? [];
  if (scheme !== undefined && rest !== undefined) return parseAbsolute(scheme.toLowerCase(), rest, sites);
  const [first = ''] = address.split('/', 1);
  const named = first.includes('.') || first.includes(':') || first.includes('@');
  if (named && address.includes('/')) return parseAbsolute(null, address, sites);
  return parseRepository(siteHost(sites[0] ?? PUBLIC_GITHUB), address.split('/'), 'shorthand');
}

/** @param scheme null when the address began with the host. */
function parseAbsolute(scheme: string | null, rest: string, sites: readonly GitHubSite[]): GitHubUrlCheck {
  const [authority = '', ...segments] = rest.split('/');
  if (authority.includes('@')) return wrong('it holds user information before the host');
  if (scheme !== null && scheme !== 'https' && scheme !== 'http') {
    return wrong(`the scheme is ${scheme}; only https is read`);
  }
  const host = authority.toLowerCase().replace(/:443$/, '');
  for (const site of sites) {
    const isRaw = host === site.rawHost;
    if (!isRaw && host !== siteHost(site) && host !== `www.${siteHost(site)}`) continue;
    if (scheme === 'http' && !site.web.startsWith('http://'))
      return wrong('plain http is not read; use https');
    return isRaw ? parseRawFile(siteHost(site), segments) : parseRepository(siteHost(site), segments, 'page');
  }
  const known = sites.map(siteHost).join(', ');
  return {
    kind: 'invalid',
    reason: 'host',
    because: `the host is ${host === '' ? 'missing' : `"${host}"`}; only ${known} is imported from (option github.webUrl or github.hosts)`,
  };
}

function siteHost({ web }: GitHubSite): string {
  return web
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase();
}

/** `owner/repo/ref/path/SKILL.md` on the host of raw files. */
function parseRawFile(host: string, segments: readonly string[]): GitHubUrlCheck {
  const [owner = '', repo = '', ...rest] = segments;
  return parseRepository(host, [owner, repo, 'blob', ...rest], 'page');
}

function parseRepository(
  host: string,
  written: readonly string[],
  form: 'page' | 'shorthand',
): GitHubUrlCheck {
  const segments = written.slice();
  while (segments.length > 2 && segments.at(-1) === '') segments.pop();
  const [owner = '', repoAndSkill = '', ...rest] = segments;
  if (!OWNER.test(owner)) return wrong('it names no owner: expected owner/repository');
  const at = rest.length === 0 ? repoAndSkill.indexOf('@') : -1;
  const repo = (at < 0 ? repoAndSkill : repoAndSkill.slice(0, at)).replace(/\.git$/i, '');
  if (!REPO.test(repo) || repo === '.' || repo === '..') {
    return wrong(
      repo === '' ? 'it names an owner but no repository' : 'the repository name is not acceptable',
    );
  }
  const skill = at < 0 ? null : decodeSegment(repoAndSkill.slice(at + 1));
  if (skill === '' || (at >= 0 && skill === null)) return wrong('no skill stands after the @');
  const place = placeOf(rest, form);
  if (place.kind === 'invalid') return place;
  return { kind: 'ok', host, owner, repo, skill, pointsAt: place.pointsAt, refAndPath: place.refAndPath };
}

type Place =
  | {
      readonly kind: 'ok';
      readonly pointsAt: GitHubSource['pointsAt'];
      readonly refAndPath: readonly RefAndPath[];
    }
  | { readonly kind: 'invalid'; readonly reason: 'form'; readonly because: string };

/** What stands behind the repository: `tree/…`, `blob/…`, the page of a tag or commit, or a plain path. */
function placeOf(rest: readonly string[], form: 'page' | 'shorthand'): Place {
  const [page, ...after] = rest;
  if (page === undefined) return { kind: 'ok', pointsAt: 'folder', refAndPath: [{ ref: null, path: '' }] };
  if (page === 'tree' || page === 'commit') return refPlace(after, 'folder');
  if (page === 'releases' && after[0] === 'tag') return refPlace([after.slice(1).join('%2F')], 'folder');
  if (page === 'blob' || page === 'raw') return refPlace(after, 'skill_file');
  if (form === 'page')
    return wrong(`"/${page}" is no folder of a repository; expected tree/<branch>/<folder>`);
  const decoded = decodeAll(rest);
  if (decoded === null) return wrong('the path holds an encoded separator, ".." or a wrong escape');
  const path = decoded.join('/');
  if (path.startsWith('-')) return wrong('the path starts with a hyphen');
  return { kind: 'ok', pointsAt: 'folder', refAndPath: [{ ref: null, path }] };
}

function refPlace(after: readonly string[], pointsAt: GitHubSource['pointsAt']): Place {
  const [first, ...others] = after;
  if (first === undefined || first === '') return wrong('no branch, tag or commit stands in it');
  // Only here may a slash be encoded: a branch `a/b` is copied as `a%2Fb` by some pages.
  const encoded = first.split(/%2f/i);
  const ref = decodeAll(encoded);
  const path = decodeAll(others);
  if (ref === null || path === null) {
    return wrong('the branch or path holds an encoded separator, ".." or a wrong escape');
  }
  if (pointsAt === 'skill_file' && path.pop()?.toLowerCase() !== 'skill.md') {
    return wrong('it points at a file; only a SKILL.md or a folder may be pointed at');
  }
  const refAndPath = splitRefAndPath(ref, path);
  if (refAndPath.length === 0) return wrong('the branch, tag or commit is not well written');
  return { kind: 'ok', pointsAt, refAndPath };
}

function decodeAll(segments: readonly string[]): string[] | null {
  const decoded = segments.map(decodeSegment);
  return decoded.every((segment) => segment !== null) ? decoded : null;
}

/** Decoded once; null when it would be more than one segment, none at all, or is still encoded. */
function decodeSegment(segment: string): string | null {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    return null;
  }
  if (text === '' || text === '.' || text === '..') return null;
  return /[/\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|%[0-9a-f]{2}/iu.test(text) ? null : text;
}

function wrong(because: string): { kind: 'invalid'; reason: 'form'; because: string } {
  return { kind: 'invalid', reason: 'form', because };
}
