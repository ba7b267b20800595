import { type SkillwrightOptions } from '../../config/options.js';
import { PUBLIC_GITHUB } from '../github-url.js';

/** A GitHub that is imported from, and the origins that belong to it. */
export interface GitHubHost {
  /** As `parseGitHubUrl` names it: `github.com`. */
  readonly host: string;
  /** Without a slash at the end. */
  readonly web: string;
  readonly rawHost: string | null;
  readonly api: string;
  /** Where an archive of a public repository is had without asking the API; null when only the API knows. */
  readonly archives: string | null;
  /** Where a file of a public repository is had by commit; null when only the API has it. */
  readonly raw: string | null;
  /** Origins that may be connected to besides the API; a redirect to any other is refused. */
  readonly origins: readonly string[];
  /** The service's own token. */
  readonly token: string | null;
}

/** Every configured GitHub, the one of `github.webUrl` first; it is the one that `owner/repo` means. */
export function gitHubHosts({ github }: Pick<SkillwrightOptions, 'github'>): GitHubHost[] {
  const first = hostOf({ web: github.webUrl, api: github.apiUrl, token: github.token });
  const others = github.hosts.map((one) => hostOf(typeof one === 'string' ? { web: one } : one));
  return [first, ...others];
}

interface HostOptions {
  readonly web: string;
  readonly api?: string | undefined;
  readonly archives?: string | undefined;
  readonly token?: string | undefined;
}

function hostOf({ web, api, archives, token }: HostOptions): GitHubHost {
  const page = new URL(web);
  const isPublic =
    page.origin === PUBLIC_GITHUB.web && (api === undefined || api === 'https://api.github.com');
  const trimmed = (url: string): string => url.replace(/\/+$/, '');
  const common = { host: page.host, web: trimmed(web), token: token ?? null };
  if (isPublic) {
    const raw = 'https://raw.githubusercontent.com';
    const codeload = 'https://codeload.github.com';
    return {
      ...common,
      rawHost: PUBLIC_GITHUB.rawHost,
      api: 'https://api.github.com',
      archives: codeload,
      raw,
      origins: [raw, codeload],
    };
  }
  return {
    ...common,
    rawHost: null,
    api: trimmed(api ?? `${trimmed(web)}/api/v3`),
    archives: archives === undefined ? null : trimmed(archives),
    raw: null,
    origins: [
      page.origin,
      `${page.protocol}//codeload.${page.host}`,
      ...(archives === undefined ? [] : [new URL(archives).origin]),
    ],
  };
}
