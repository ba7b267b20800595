import { createHash, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { SkillwrightError } from '../../kernel/errors.js';
import { runOperation, type Operation } from '../../operations/define.operation.js';
import { OperationContext } from '../../operations/operation-context.service.js';
import { LOCAL_ADMIN } from '../../operations/principal.js';
import { AnswerCache, type CachedAnswer } from './answer-cache.js';
import { decideEdge } from './edge.js';
import { readJsonBody, readRawBody } from './http-body.adapter.js';
import { readMultipart } from './multipart.adapter.js';
import { inputOf, type RequestParts } from './request-input.js';
import {
  sendDownload,
  sendFile,
  sendJson,
  sendProblem,
  sendStream,
  sendTagged,
  type DownloadAnswer,
  type FileAnswer,
  type StreamAnswer,
} from './http-reply.adapter.js';
import { type Route } from './route.js';

export type HttpRoute = Route<Operation>;

/** Maps one HTTP request to one operation and its answer back; everything else is the operation's business. */
export class HttpDoor {
  readonly #log = new Logger('Http');
  readonly #answers = new AnswerCache();

  constructor(private readonly context: OperationContext) {}

  /** Nothing to await where the answer is ready. */
  handle(route: HttpRoute, request: Request, response: Response): Promise<void> | undefined {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    try {
      this.#guardEdge(request);
      if (this.#answerFromCache(route, request, response)) return undefined;
    } catch (error) {
      this.#fail(error, requestId, response);
      return undefined;
    }
    return this.#answer(route, request, response, requestId);
  }

  async #answer(route: HttpRoute, request: Request, response: Response, requestId: string): Promise<void> {
    let leave: (() => void) | undefined;
    try {
      // An upload waits for a place before its bytes are read, so that many at once do not fill the memory.
      if (route.body === 'multipart') leave = this.context.imports.slots.enter();
      const input = inputOf(route, {
        params: request.params,
        query: queryOf(request),
        ...(await this.#readBody(route, request)),
      });
      if (route.match === true) input['if_match'] = request.headers['if-match'];
      const stamp = this.#stampOf(route, input);
      const before = stamp?.();
      const call = { principal: LOCAL_ADMIN, requestId, door: 'http' };
      const output = await runOperation(route.operation, this.context, input, call);
      if (stamp === undefined || before === undefined) this.#send(route, request, response, output);
      else this.#sendStamped(route, request, response, output, { stamp: before, currentStamp: stamp });
    } catch (error) {
      this.#fail(error, requestId, response);
    } finally {
      leave?.();
    }
  }

  async #readBody(route: HttpRoute, request: Request): Promise<Pick<RequestParts, 'body' | 'form'>> {
    const { limits } = this.context.options;
    const { body } = route;
    if (body === 'multipart') {
      return { body: undefined, form: await readMultipart(request, { fileBytes: limits.uploadBytes }) };
    }
    if (typeof body === 'object' && 'bytes' in body) {
      return { body: await readRawBody(request, limits[body.limit], body) };
    }
    return { body: await readJsonBody(request, limits.jsonBodyBytes) };
  }

  #guardEdge(request: Request): void {
    const { auth, http } = this.context.options;
    const decision = decideEdge(
      {
        method: request.method,
        host: request.headers.host,
        origin: request.headers.origin,
        fetchSite: request.headers['sec-fetch-site'],
        remoteAddress: request.socket.remoteAddress,
      },
      { allowedHosts: http.allowedHosts, open: auth.disabled },
    );
    if (decision.kind === 'refused') throw new SkillwrightError(decision.code, { detail: decision.because });
  }

  #answerFromCache(route: HttpRoute, request: Request, response: Response): boolean {
    if (route.tag !== 'revision') return false;
    const known = this.#answers.get(request.originalUrl);
    if (known === undefined) return false;
    sendTagged(request, response, known);
    return true;
  }

  /** Tells what an answer is made of. Taken before the answer is made: a change in between costs a second making. */
  #stampOf(route: HttpRoute, input: Record<string, unknown>): (() => string) | undefined {
    if (route.tag !== 'revision') return undefined;
    const { catalog, presets, workflows } = this.context;
    const workflowId = typeof input['workflow_id'] === 'string' ? input['workflow_id'] : null;
    return () => `${catalog.snapshot().revision}|${presets.stamp()}|${workflows.stamp(workflowId)}`;
  }

  #sendStamped(
    route: HttpRoute,
    request: Request,
    response: Response,
    output: unknown,
    made: Pick<CachedAnswer, 'stamp' | 'currentStamp'>,
  ): void {
    const bytes = Buffer.from(JSON.stringify(output));
    const answer = { ...made, bytes, etag: tagOf(route, output, bytes) };
    this.#answers.set(request.originalUrl, answer);
    sendTagged(request, response, answer);
  }

  #send(route: HttpRoute, request: Request, response: Response, output: unknown): void {
    if (route.reply === 'file') {
      sendFile(request, response, output as FileAnswer, this.context.options.limits.inlineFileBytes);
    } else if (route.reply === 'stream') {
      void sendStream(response, output as StreamAnswer);
    } else if (route.reply === 'download') {
      const download = output as DownloadAnswer;
      sendDownload(request, response, download, `"${hashOf(download.bytes)}"`);
    } else if (route.status === 204) {
      response.status(204).end();
    } else {
      const bytes = Buffer.from(JSON.stringify(output));
      if (route.method !== 'GET') sendJson(response, route.status, bytes);
      else sendTagged(request, response, { bytes, etag: tagOf(route, output, bytes) });
    }
  }

  #fail(error: unknown, requestId: string, response: Response): void {
    if (!SkillwrightError.is(error)) this.#log.error({ err: error, request_id: requestId }, 'request failed');
    sendProblem(response, error, requestId);
  }
}

/** Answers a request that no route takes. */
export function refuseRequest(request: Request, response: Response, error: SkillwrightError): void {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  sendProblem(response, error, requestId);
}

/** A request id of the caller's is kept when it is plain; anything else could forge a line of a log. */
function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

function queryOf(request: Request): string {
  const at = request.originalUrl.indexOf('?');
  return at < 0 ? '' : request.originalUrl.slice(at + 1);
}

/**
 * One skill is tagged `"<digest>.<row>"`: an edit of content compares the first part only, so that a toggle does not
 * spoil it. Every other answer is tagged by its bytes, which hold the revision where one is involved.
 */
function tagOf(route: HttpRoute, output: unknown, bytes: Buffer): string {
  if (route.tag !== 'skill') return `"${hashOf(bytes)}"`;
  return `"${(output as { digest: string | null }).digest ?? 'none'}.${hashOf(bytes)}"`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}
