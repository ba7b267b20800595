import { type Availability } from './skill-entry.js';

export interface AvailabilityFacts {
  readonly valid: boolean;
  readonly enabled: boolean;
  readonly status: 'active' | 'archived';
  readonly revoked: boolean;
  readonly deleted: boolean;
}

/** The one word for a skill that no other hides; the first that applies, from the most final to the least. */
export function availabilityOf(facts: AvailabilityFacts): Exclude<Availability, 'shadowed'> {
  if (facts.deleted) return 'deleted';
  if (facts.revoked) return 'revoked';
  if (!facts.valid) return 'invalid';
  if (!facts.enabled) return 'disabled';
  return facts.status === 'archived' ? 'degraded' : 'available';
}
