/** What the edge of a service without tokens must know about a request. */
export interface EdgeFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly remoteAddress: string | undefined;
}

export type EdgeDecision =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'refused';
      readonly code: 'host_refused' | 'origin_refused' | 'forbidden';
      readonly because: string;
    };

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const ALLOWED: EdgeDecision = { kind: 'allowed' };

/**
 * Whether a request may reach a service that has no tokens. Such a service trusts whoever is on this machine,
 * so it must not serve other machines, names that a page rebinds to loopback, or writes from a web page.
 */
export function decideEdge(
  facts: EdgeFacts,
  policy: { allowedHosts: readonly string[]; open: boolean },
): EdgeDecision {
  if (!policy.open) {
    if (!isLoopbackAddress(facts.remoteAddress)) {
      return refuse('forbidden', 'no access control is configured, so only this machine is served');
    }
    const name = hostName(facts.host);
    if (!LOOPBACK_HOSTS.has(name) && !policy.allowedHosts.includes(name)) {
      return refuse('host_refused', 'the Host header names neither loopback nor one of http.allowedHosts');
    }
  }
  if (facts.method === 'GET' || facts.method === 'HEAD') return ALLOWED;
  if (facts.fetchSite === 'cross-site' || facts.fetchSite === 'same-site') {
    return refuse('origin_refused', 'a web page of another site may not change anything');
  }
  if (facts.origin !== undefined && !sameHost(facts.origin, facts.host)) {
    return refuse('origin_refused', 'the Origin header names another site');
  }
  return ALLOWED;
}

/** True for `127.0.0.0/8`, `::1` and IPv4 addresses written as IPv6. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain === '::1' || plain === 'localhost' || /^127(\.\d{1,3}){3}$/.test(plain);
}

function hostName(host: string | undefined): string {
  return (host ?? '').toLowerCase().replace(/:\d+$/, '');
}

function sameHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === host.toLowerCase();
}

function refuse(code: 'host_refused' | 'origin_refused' | 'forbidden', because: string): EdgeDecision {
  return { kind: 'refused', code, because };
}
