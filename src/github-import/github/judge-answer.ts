import { type ErrorCode } from '../../kernel/errors.js';

/** What must be known of an answer to decide what it means. */
export interface AnswerFacts {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** Text of a refusal, cut. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whose token was sent. */
  readonly token: 'caller' | 'service' | 'none';
  /** Secondary limits hit in a row, this one not counted. */
  readonly strikes: number;
}

export type AnswerJudgement =
  /** A body, a redirect, or an error that may pass when it is asked again. */
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'rate_limited';
      readonly seconds: number;
      readonly resetAt: string;
      readonly secondary: boolean;
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly because: string };

const MAX_WAIT_S = 3600;
const SECONDARY_WAIT_S = 60;
/** The last moment that a Date can say. */
const LAST_DATE = 8.64e15;

/** Decides what an answer of GitHub means; the caller waits, asks again, or gives up. */
export function judgeAnswer(facts: AnswerFacts): AnswerJudgement {
  const { status, header, text, now, token } = facts;
  if (status === 401) return refuseToken(token);
  const limited = status === 403 || status === 429;
  const hasWait = header('retry-after') !== null || header('x-ratelimit-remaining') === '0';
  if (limited && hasWait) {
    const reset = Number(header('x-ratelimit-reset') ?? Number.NaN) * 1000;
    const limit = limitOf(waitOf(header, now), now, false);
    const isKnown = header('x-ratelimit-remaining') === '0' && Number.isFinite(reset) && reset <= LAST_DATE;
    return isKnown ? { ...limit, resetAt: new Date(reset).toISOString() } : limit;
  }
  if (status === 429 || (limited && /secondary rate|abuse detection/i.test(text))) {
    return limitOf(SECONDARY_WAIT_S * 2 ** facts.strikes, now, true);
  }
  if (
    status === 403 ||
    status === 404 ||
    status === 410 ||
    status === 451 ||
    status === 409 ||
    status === 422
  ) {
    const hint = token === 'none' ? '; a private repository needs a token' : '; or the token may not read it';
    return {
      kind: 'refused',
      code: 'source_not_found',
      because: `it is not there (status ${status})${hint}`,
    };
  }
  return { kind: 'pass' };
}

/** Seconds until the limit is over by what the answer says, counted from its own clock. */
function waitOf(header: AnswerFacts['header'], now: number): number {
  const retryAfter = header('retry-after') ?? '';
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  const reset = Number(header('x-ratelimit-reset') ?? Number.NaN);
  const clock = Date.parse(header('date') ?? '');
  const untilReset =
    header('x-ratelimit-remaining') === '0' ? reset - (Number.isNaN(clock) ? now : clock) / 1000 : 0;
  const known = [asked, untilReset].filter((seconds) => Number.isFinite(seconds));
  return known.length === 0 ? SECONDARY_WAIT_S : Math.max(0, ...known);
}

function limitOf(
  seconds: number,
  now: number,
  secondary: boolean,
): AnswerJudgement & { kind: 'rate_limited' } {
  const resetAt = new Date(Math.min(now + seconds * 1000, LAST_DATE)).toISOString();
  return { kind: 'rate_limited', seconds: Math.min(Math.ceil(seconds), MAX_WAIT_S), resetAt, secondary };
}

/** Never asked again without a token: that could read another repository than was meant. */
function refuseToken(token: AnswerFacts['token']): AnswerJudgement {
  if (token === 'caller')
    return { kind: 'refused', code: 'token_rejected', because: 'the token was refused' };
  const whose = token === 'service' ? "the service's own token was refused" : 'it asks for a token';
  return { kind: 'refused', code: 'source_unavailable', because: whose };
}
