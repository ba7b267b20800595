/** What a caller may do; each role may all that the ones before it may, `service` stands beside them. */
export type Role = 'agent' | 'editor' | 'admin' | 'service';

/** Who acts. Comes from a token, the host's own hook or the loopback rule; never from a header or body. */
export interface Principal {
  readonly kind: 'user' | 'service' | 'step';
  readonly subject: string;
  readonly name: string;
  readonly teams: readonly string[];
  readonly role: Role;
}

/** Whoever reaches a service that listens on loopback only and has no tokens. */
export const LOCAL_ADMIN: Principal = {
  kind: 'user',
  subject: 'local',
  name: 'local admin',
  teams: [],
  role: 'admin',
};

/** Who calls, and under which request. */
export interface Call {
  readonly principal: Principal;
  readonly requestId: string;
  /** `http`, `cli`: the way by which it came. */
  readonly door: string;
}

const RANK: Readonly<Record<Role, number>> = { agent: 0, service: 0, editor: 1, admin: 2 };

export type AccessDecision =
  { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly because: string };

/** Whether a principal may run an operation that asks for `needed`. */
export function decideRole(principal: Principal, needed: Role): AccessDecision {
  if (principal.role === needed || RANK[principal.role] > RANK[needed]) return { kind: 'allowed' };
  if (principal.role === 'service' && needed === 'agent') return { kind: 'allowed' };
  return { kind: 'denied', because: `this needs the role ${needed}; the caller has ${principal.role}` };
}
