import { type z } from 'zod';
import { ERRORS, type ErrorCode, SkillwrightError } from '../../kernel/errors.js';
import { type Download } from '../../operations/maintenance.operations.js';
import { type Operation } from '../../operations/define.operation.js';
import { V1_ROUTES } from '../http/v1.routes.js';
import { type Backend } from './backend.port.js';
import { httpCall, type HttpCall } from './http-call.js';

const TIMEOUT_MS = 30_000;
/** Keys of a problem document that are not facts of the error. */
const NOT_FACTS = new Set(['type', 'title', 'status', 'code', 'request_id', 'error']);

/** Asks a running service, by the very table of routes that it serves. */
export class ServiceBackend implements Backend {
  readonly kind = 'service';

  /** @param url of the service, with or without a slash at the end */
  constructor(
    private readonly url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async ask<Input extends z.ZodType, Output>(
    row: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<Output> {
    const response = await this.#fetch(callOf(row, input as Record<string, unknown>));
    const text = await response.text();
    const body = parseJson(text);
    // Every answer of ours carries an id; whatever else listens at the address does not.
    const ours = response.headers.has('x-request-id');
    if (ours && response.ok && body !== undefined) return body as Output;
    throw errorOf(this.url, response.status, ours ? body : undefined);
  }

  async download<Input extends z.ZodType>(
    row: Operation<Input, Download>,
    input: z.input<Input>,
  ): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#fetch(callOf(row, input as Record<string, unknown>));
    const { headers, body, ok, status } = response;
    const ours = headers.has('x-request-id');
    if (ours && ok && body !== null) return body;
    throw errorOf(this.url, status, ours ? parseJson(await response.text()) : undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #fetch({ method, path, body }: HttpCall): Promise<Response> {
    try {
      return await fetch(this.url.replace(/\/+$/, '') + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
    } catch (error) {
      throw new SkillwrightError(
        'service_unreachable',
        { detail: `no service answers at ${this.url}: ${reasonOf(error, this.timeoutMs)}` },
        { cause: error },
      );
    }
  }
}

function callOf(row: Pick<Operation, 'name'>, input: Readonly<Record<string, unknown>>): HttpCall {
  for (const route of V1_ROUTES) {
    const call = route.operation.name === row.name ? httpCall(route, input) : null;
    if (call !== null) return call;
  }
  throw new Error(`no route asks for ${row.name}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What the service refused, as if it had been refused here. */
function errorOf(url: string, status: number, body: unknown): SkillwrightError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { code } = problem;
  if (!isErrorCode(code)) {
    return new SkillwrightError('service_unreachable', {
      detail: `what answers at ${url} is not a Skillwright service (status ${status})`,
    });
  }
  const facts = Object.fromEntries(Object.entries(problem).filter(([key]) => !NOT_FACTS.has(key)));
  return new SkillwrightError(code, facts);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error.name === 'TimeoutError') return `nothing came within ${timeoutMs / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
