import { ERRORS, SkillwrightError, type ErrorCode } from '../../kernel/errors.js';
import { type Finding } from '../../kernel/finding.js';

/** RFC 9457 problem details, with the additions that every answer of ours carries. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly issues: readonly Finding[];
  /** The detail again, for programs that know only `error`. */
  readonly error: string;
  readonly [fact: string]: unknown;
}

/** Translates what was thrown. An error that is not ours tells the caller a request id and nothing else. */
export function problemOf(error: unknown, requestId: string): Problem {
  const ours = SkillwrightError.is(error) ? error : new SkillwrightError('internal');
  const { http, message } = ERRORS[ours.code];
  const { detail, issues, retryAfter, ...facts } = ours.facts;
  const text = detail ?? message;
  return {
    ...facts,
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    type: `urn:skillwright:error:${ours.code}`,
    title: message,
    status: http,
    detail: text,
    code: ours.code,
    request_id: requestId,
    issues: issues ?? [],
    error: text,
  };
}
