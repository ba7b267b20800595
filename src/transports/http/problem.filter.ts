import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { SkillwrightError } from '../../kernel/errors.js';
import { allowedMethods } from './allowed-methods.js';
import { refuseRequest } from './http-door.service.js';
import { V1_ROUTES } from './v1.routes.js';

/**
 * What the service says where no route takes a request: unknown paths, wrong methods, addresses that cannot be
 * decoded. Used by the standalone service only; a host application keeps its own answers.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #log = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const status = statusOf(error);
    if (status === null) this.#log.error({ err: error }, 'request failed');
    refuseRequest(request, response, this.#refusal(status, request, response));
  }

  #refusal(status: number | null, request: Request, response: Response): SkillwrightError {
    if (status === null) return new SkillwrightError('internal');
    if (status !== 404)
      return new SkillwrightError('bad_request', { detail: 'the address cannot be decoded' });
    const allowed = allowedMethods(V1_ROUTES, request.path);
    if (allowed.length === 0) return new SkillwrightError('not_found', { detail: 'no route has this path' });
    response.setHeader('Allow', allowed.join(', '));
    const detail = `${request.method} is not one of ${allowed.join(', ')}`;
    return new SkillwrightError('method_not_allowed', { detail });
  }
}

/** Status of an error that the framework raised itself; null for any other. */
function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  const { status } = error as { status?: unknown };
  return error instanceof URIError || status === 400 ? 400 : null;
}
