import { type IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { SkillwrightError } from '../../kernel/errors.js';
import { judgeContentType, parseJsonBody } from './json-body.js';
import { type RawBody } from './route.js';

interface RequestWithBody extends IncomingMessage {
  /** Set when the host application parsed the body before us. */
  body?: unknown;
}

/**
 * The JSON body of a request, undefined when there is none.
 *
 * @throws SkillwrightError `unsupported_media_type`, `payload_too_large`, `bad_request`, `request_timeout`.
 */
export async function readJsonBody(request: RequestWithBody, limit: number): Promise<unknown> {
  if (request.body !== undefined) return request.body;
  const length = request.headers['content-length'];
  if (length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined))
    return undefined;
  const type = judgeContentType(request.headers['content-type']);
  if (type.kind === 'other') throw new SkillwrightError('unsupported_media_type', { detail: type.because });
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new SkillwrightError('unsupported_media_type', {
      detail: `content encoding ${encoding} is not accepted`,
    });
  }
  return parseJsonBody(await readBytes(request, limit, length));
}

/**
 * The body as it is; JSON is parsed where the route takes both.
 *
 * @throws SkillwrightError as {@link readJsonBody}
 */
export async function readRawBody(
  request: RequestWithBody,
  limit: number,
  { orJson }: Pick<RawBody, 'orJson'>,
): Promise<unknown> {
  if (orJson && judgeContentType(request.headers['content-type']).kind === 'json') {
    return readJsonBody(request, limit);
  }
  // A host application may have parsed what it could; text and bytes are left to us.
  if (Buffer.isBuffer(request.body)) return request.body;
  if (typeof request.body === 'string') return Buffer.from(request.body);
  return readBytes(request, limit, request.headers['content-length']);
}

async function readBytes(
  request: IncomingMessage,
  limit: number,
  length: string | undefined,
): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, ...(length !== undefined && { length }) });
  } catch (cause) {
    const type = (cause as { type?: string }).type;
    if (type === 'entity.too.large') {
      // The rest is read and thrown away, so that the answer reaches a sender that is still sending.
      request.resume();
      throw new SkillwrightError(
        'payload_too_large',
        { detail: `the body is over ${limit} bytes`, limit },
        { cause },
      );
    }
    throw new SkillwrightError(
      'bad_request',
      { field: 'body', detail: 'body: it did not arrive whole' },
      { cause },
    );
  }
}
