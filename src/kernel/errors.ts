import { type Finding } from './finding.js';

interface ErrorKind {
  /** HTTP status of the canonical dialect. */
  readonly http: number;
  /** Code of an error frame on the WebSocket. */
  readonly ws: string;
  /** Exit status of the CLI. */
  readonly exit: number;
  /** One sentence for a person; the facts of an error say the rest. */
  readonly message: string;
}

/**
 * Every way in which Skillwright refuses. There is no second list: doors translate this one.
 * Exit statuses: 1 refused or not found, 2 malformed request, 3 conflict, 69 unavailable, 70 a bug.
 */
export const ERRORS = {
  bad_request: { http: 400, ws: 'INVALID_REQUEST', exit: 2, message: 'The request is malformed.' },
  path_invalid: {
    http: 400,
    ws: 'INVALID_REQUEST',
    exit: 2,
    message: 'The path is not a safe relative path.',
  },
  options_invalid: { http: 500, ws: 'INTERNAL', exit: 2, message: 'The configuration is invalid.' },
  unauthenticated: { http: 401, ws: 'UNAUTHORIZED', exit: 1, message: 'A valid token is needed.' },
  forbidden: { http: 403, ws: 'FORBIDDEN', exit: 1, message: 'The caller may not do this.' },
  origin_refused: {
    http: 403,
    ws: 'FORBIDDEN',
    exit: 1,
    message: 'Requests from this web origin are refused.',
  },
  host_refused: { http: 403, ws: 'FORBIDDEN', exit: 1, message: 'This Host header is not allowed.' },
  skill_not_selected: {
    http: 403,
    ws: 'FORBIDDEN',
    exit: 1,
    message: 'The skill is not in effect for this step.',
  },
  guard_denied: { http: 403, ws: 'FORBIDDEN', exit: 1, message: 'The folder guard denies this.' },
  not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'There is nothing at this address.' },
  skill_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'No such skill.' },
  file_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'The skill has no such file.' },
  version_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'The skill has no such version.' },
  label_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'The skill has no such label.' },
  preset_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'No such preset.' },
  workflow_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'No such workflow.' },
  workspace_not_found: {
    http: 404,
    ws: 'NOT_FOUND',
    exit: 2,
    message: 'There is no workspace at this place.',
  },
  step_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'The workflow configures no such step.' },
  tool_not_found: { http: 404, ws: 'NOT_FOUND', exit: 1, message: 'No such tool.' },
  method_not_allowed: {
    http: 405,
    ws: 'UNKNOWN_METHOD',
    exit: 2,
    message: 'This address has no such method.',
  },
  request_timeout: {
    http: 408,
    ws: 'INVALID_REQUEST',
    exit: 69,
    message: 'The request did not arrive in time.',
  },
  ref_ambiguous: { http: 409, ws: 'CONFLICT', exit: 3, message: 'Several skills answer to this reference.' },
  skill_in_use: {
    http: 409,
    ws: 'CONFLICT',
    exit: 3,
    message: 'Presets or steps still name the skill.',
  },
  skill_changed: {
    http: 409,
    ws: 'CONFLICT',
    exit: 3,
    message: 'Somebody else changed the skill at the same moment.',
  },
  workflow_changed: {
    http: 409,
    ws: 'CONFLICT',
    exit: 3,
    message: 'Somebody else changed the workflow at the same moment.',
  },
  skill_revoked: { http: 409, ws: 'CONFLICT', exit: 3, message: 'These bytes were revoked.' },
  preset_exists: { http: 409, ws: 'CONFLICT', exit: 3, message: 'A preset with this id already exists.' },
  preset_in_use: { http: 409, ws: 'CONFLICT', exit: 3, message: 'A workflow is still bound to the preset.' },
  skill_exists: { http: 409, ws: 'CONFLICT', exit: 3, message: 'A skill of this slug already exists.' },
  skill_protected: { http: 409, ws: 'CONFLICT', exit: 3, message: 'The skill cannot be changed here.' },
  data_folder_in_use: {
    http: 409,
    ws: 'CONFLICT',
    exit: 69,
    message: 'Another process owns the data folder.',
  },
  database_in_use: { http: 409, ws: 'CONFLICT', exit: 69, message: 'A service works on the database.' },
  database_not_empty: {
    http: 409,
    ws: 'CONFLICT',
    exit: 3,
    message: 'The database holds something already.',
  },
  address_in_use: {
    http: 409,
    ws: 'CONFLICT',
    exit: 69,
    message: 'Another process listens on this address.',
  },
  version_conflict: { http: 412, ws: 'CONFLICT', exit: 3, message: 'The content changed since it was read.' },
  match_required: {
    http: 428,
    ws: 'INVALID_REQUEST',
    exit: 2,
    message: 'An If-Match header with the tag of what is edited is needed.',
  },
  payload_too_large: { http: 413, ws: 'INVALID_REQUEST', exit: 2, message: 'The request is too large.' },
  skill_md_too_large: {
    http: 413,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'SKILL.md is larger than allowed.',
  },
  file_too_large: { http: 413, ws: 'INVALID_REQUEST', exit: 1, message: 'The file is larger than allowed.' },
  archive_too_large: {
    http: 413,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive unpacks to more than is allowed.',
  },
  archive_too_many_entries: {
    http: 413,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive has more entries than are allowed.',
  },
  source_too_large: {
    http: 413,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The source holds more than may be imported.',
  },
  unsupported_media_type: {
    http: 415,
    ws: 'INVALID_REQUEST',
    exit: 2,
    message: 'This content type is not accepted here.',
  },
  skill_md_missing: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'There is no SKILL.md.' },
  skill_md_invalid: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'SKILL.md is not valid.' },
  skill_too_large: {
    http: 413,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The skill has more files or bytes than allowed.',
  },
  skill_name_invalid: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The skill name is not acceptable.',
  },
  skill_md_ambiguous: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The source holds several skills; say which.',
  },
  archive_invalid: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive is damaged or no archive.',
  },
  archive_unsupported: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive uses a feature that is not read.',
  },
  archive_encrypted: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'The archive is encrypted.' },
  archive_path_unsafe: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive holds a path that is not safe.',
  },
  archive_entry_type: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The archive holds a link, device or other special file.',
  },
  archive_duplicate_entry: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'Two entries of the archive would be the same file.',
  },
  source_url_invalid: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The address is not one that skills are imported from.',
  },
  source_not_found: {
    http: 422,
    ws: 'INVALID_REQUEST',
    exit: 1,
    message: 'The source is not there or not accessible.',
  },
  token_rejected: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'The source refused the token.' },
  import_unavailable: {
    http: 422,
    ws: 'FAILED_PRECONDITION',
    exit: 1,
    message: 'Imports can be previewed only; ask with dry_run.',
  },
  skills_rejected: {
    http: 422,
    ws: 'FAILED_PRECONDITION',
    exit: 1,
    message: 'The step would not get every skill it names.',
  },
  step_config_invalid: {
    http: 422,
    ws: 'FAILED_PRECONDITION',
    exit: 1,
    message: 'step_config.json is not valid.',
  },
  workflow_file_invalid: {
    http: 422,
    ws: 'FAILED_PRECONDITION',
    exit: 1,
    message: 'workflow.json is not valid.',
  },
  preset_invalid: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'The preset is not valid.' },
  backup_invalid: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'The backup cannot be restored.' },
  grants_invalid: { http: 422, ws: 'INVALID_REQUEST', exit: 1, message: 'A granted path is not valid.' },
  rate_limited: { http: 429, ws: 'RESOURCE_EXHAUSTED', exit: 69, message: 'Too many requests.' },
  internal: { http: 500, ws: 'INTERNAL', exit: 70, message: 'Something went wrong on our side.' },
  source_unavailable: {
    http: 502,
    ws: 'UNAVAILABLE',
    exit: 69,
    message: 'The source did not answer as it should.',
  },
  source_timeout: { http: 504, ws: 'UNAVAILABLE', exit: 69, message: 'The source did not answer in time.' },
  source_rate_limited: {
    http: 503,
    ws: 'UNAVAILABLE',
    exit: 69,
    message: 'The source answers no more requests for now.',
  },
  busy: { http: 503, ws: 'UNAVAILABLE', exit: 69, message: 'Too many imports run at the moment.' },
  embeddings_failed: {
    http: 502,
    ws: 'UNAVAILABLE',
    exit: 69,
    message: 'The embeddings endpoint gives no usable vectors.',
  },
  db_unavailable: { http: 503, ws: 'UNAVAILABLE', exit: 69, message: 'The database is not available.' },
  service_unreachable: {
    http: 503,
    ws: 'UNAVAILABLE',
    exit: 69,
    message: 'No Skillwright service answers at this address.',
  },
  sandbox_unavailable: { http: 503, ws: 'UNAVAILABLE', exit: 69, message: 'There is no sandbox here.' },
  not_ready: {
    http: 503,
    ws: 'UNAVAILABLE',
    exit: 69,
    message: 'The first scan of the skills is not done yet.',
  },
  storage_full: { http: 507, ws: 'RESOURCE_EXHAUSTED', exit: 69, message: 'There is no space left.' },
} as const satisfies Record<string, ErrorKind>;

/** One of the closed list of error codes; `docs/errors.md` shows it whole. */
export type ErrorCode = keyof typeof ERRORS;

/** What an error is about. Values stand in answers, so no secret and no host path belongs here. */
export interface ErrorFacts {
  /** A sentence that says more than the code's own: what was found, what to do. */
  readonly detail?: string;
  readonly issues?: readonly Finding[];
  /** Seconds until another try makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  readonly [fact: string]: unknown;
}

const BRAND = Symbol.for('skillwright.error');

/**
 * The one error that Skillwright throws on purpose.
 *
 * @example
 * throw new SkillwrightError('skill_not_found', { ref: 'pdf', detail: 'no skill has the slug "pdf"' });
 */
export class SkillwrightError extends Error {
  override readonly name = 'SkillwrightError';
  readonly [BRAND] = true;

  constructor(
    readonly code: ErrorCode,
    readonly facts: ErrorFacts = {},
    options: { cause?: unknown } = {},
  ) {
    super(facts.detail ?? ERRORS[code].message, options);
  }

  get kind(): ErrorKind {
    return ERRORS[this.code];
  }

  /** True for our error also when two copies of the package are loaded, where `instanceof` fails. */
  static is(error: unknown): error is SkillwrightError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}
