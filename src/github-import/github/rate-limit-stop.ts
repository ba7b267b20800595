import { SkillwrightError } from '../../kernel/errors.js';

interface Stop {
  readonly until: number;
  readonly resetAt: string;
}

/**
 * Whom not to ask before when, for the whole process: a source bans those who go on asking. Keyed by whoever is
 * counted there, which is a token or an address.
 */
export class RateLimitStop {
  readonly #stops = new Map<string, Stop>();
  readonly #strikes = new Map<string, number>();

  /** The refusal while the stop holds; null when asking is fine. */
  check(key: string, now: number): SkillwrightError | null {
    const stop = this.#stops.get(key);
    if (stop === undefined) return null;
    if (stop.until > now) return limited(Math.ceil((stop.until - now) / 1000), stop.resetAt);
    this.#stops.delete(key);
    return null;
  }

  /** @returns the refusal to answer with. */
  stop(key: string, { seconds, resetAt, secondary }: StopFacts, now: number): SkillwrightError {
    if (secondary) this.#strikes.set(key, this.strikes(key) + 1);
    this.#stops.set(key, { until: now + seconds * 1000, resetAt });
    return limited(seconds, resetAt);
  }

  strikes(key: string): number {
    return this.#strikes.get(key) ?? 0;
  }

  succeeded(key: string): void {
    this.#strikes.delete(key);
  }
}

interface StopFacts {
  readonly seconds: number;
  readonly resetAt: string;
  readonly secondary: boolean;
}

function limited(seconds: number, resetAt: string): SkillwrightError {
  const detail = `GitHub answers no more requests until ${resetAt}; a token (of the request, or option github.token) raises the limit`;
  return new SkillwrightError('source_rate_limited', {
    detail,
    retryAfter: Math.max(1, seconds),
    reset_at: resetAt,
  });
}
