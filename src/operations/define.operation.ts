import { type z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import { type OperationContext } from './operation-context.service.js';
import { type Call, decideRole, type Role } from './principal.js';

/** One verb of the product: every door maps to these and adds nothing. */
export interface Operation<Input extends z.ZodType = z.ZodType, Output = unknown> {
  /** `skills.list` */
  readonly name: string;
  /** One sentence for the API documentation. */
  readonly summary: string;
  /** The least role that may run it. */
  readonly role: Role;
  readonly input: Input;
  /** Documentation of the answer; answers are built typed, so it is not checked again at run time. */
  readonly output: z.ZodType;
  run(context: OperationContext, input: z.output<Input>, call: Call): Promise<Output> | Output;
}

/** Keeps the types of one row together. */
export function operation<Input extends z.ZodType, Output>(
  row: Operation<Input, Output>,
): Operation<Input, Output> {
  return row;
}

/**
 * Runs one operation: authorizes, validates, runs. A plain function, so that it costs nothing on the hot path
 * and is the same for HTTP, the command line and the doors to come.
 *
 * @throws SkillwrightError `forbidden`, `bad_request` with one issue a wrong field, or what the operation throws.
 */
export async function runOperation<Input extends z.ZodType, Output>(
  row: Operation<Input, Output>,
  context: OperationContext,
  input: unknown,
  call: Call,
): Promise<Output> {
  const access = decideRole(call.principal, row.role);
  if (access.kind === 'denied') throw new SkillwrightError('forbidden', { detail: access.because });
  return row.run(context, parseInput(row, input), call);
}

function parseInput<Input extends z.ZodType>(row: Operation<Input>, input: unknown): z.output<Input> {
  const parsed = row.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) =>
    finding('request_invalid', {
      field: issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.map(String).join('.'),
      message: issue.code === 'unrecognized_keys' ? 'not a known field' : issue.message,
    }),
  );
  const detail = issues.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
  throw new SkillwrightError('bad_request', { detail, issues });
}
