import { SkillwrightError } from '../kernel/errors.js';

/** Seconds after which a caller should try again; the service itself notices sooner. */
const RETRY_AFTER = 2;

const NETWORK_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the server does not answer',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ENOTFOUND: "the server's name is not known",
  EAI_AGAIN: "the server's name cannot be looked up",
};

const SQL_STATES: Readonly<Record<string, string>> = {
  '25006': 'the server accepts no writes',
  '28000': 'the server refuses the login',
  '28P01': 'the server refuses the login',
  '3D000': 'the database does not exist',
  '53300': 'the server has no connection left',
  '57P01': 'the server is shutting down',
  '57P02': 'the server crashed',
  '57P03': 'the server is starting',
};

// `pg` gives these neither a code nor a class.
const CLIENT_MESSAGES: readonly RegExp[] = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^timeout expired/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Cannot use a pool after calling end/,
];

/**
 * Why the database cannot be asked at the moment, or null when the error is about the question itself.
 * The text names no host, user or password: it stands in answers.
 */
export function outageOf(error: unknown): string | null {
  const { code, message } = driverFacts(error);
  const known = NETWORK_CODES[code] ?? SQL_STATES[code];
  if (known !== undefined) return known;
  if (/^08/.test(code) || CLIENT_MESSAGES.some((pattern) => pattern.test(message))) {
    return 'the connection was lost';
  }
  return null;
}

/** The same error as one of ours where the caller can act on it; a bug stays what it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (SkillwrightError.is(error)) return error;
  const because = outageOf(error);
  if (because !== null) return databaseUnavailable(because, error);
  const { code, message } = driverFacts(error);
  if (code === '53100' || code === 'ENOSPC' || /no space left on device/i.test(message)) {
    return new SkillwrightError('storage_full', {}, { cause: error });
  }
  return error;
}

export function databaseUnavailable(because: string, cause?: unknown): SkillwrightError {
  const detail = `the database is not available: ${because}`;
  return new SkillwrightError('db_unavailable', { detail, retryAfter: RETRY_AFTER }, { cause });
}

/** SQLSTATE of a failed statement, or the operating system's code; empty when there is neither. */
export function databaseErrorCode(error: unknown): string {
  return driverFacts(error).code;
}

/** TypeORM wraps what the driver threw. */
function driverFacts(error: unknown): { code: string; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  if ('driverError' in error) return driverFacts(error.driverError);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  return { code, message };
}
