import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response } from 'express';
import { problemOf } from './problem.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer as bytes, with the tag it can be asked for again by. */
interface TaggedBytes {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A file of a skill as the operation gives it. */
export interface FileAnswer {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly kind: 'skill' | 'text' | 'binary';
  readonly encoding: 'utf-8' | 'base64';
  readonly bytes: Buffer;
  readonly [fact: string]: unknown;
}

/** Sends a tagged answer; 304 when the caller has it already. */
export function sendTagged(request: Request, response: Response, { bytes, etag }: TaggedBytes): void {
  response.setHeader('ETag', etag);
  if (matchesTag(request.headers['if-none-match'], etag)) {
    response.setHeader('Cache-Control', 'private, no-cache');
    response.statusCode = 304;
    response.end();
    return;
  }
  sendJson(response, 200, bytes);
}

export function sendJson(response: Response, status: number, bytes: Buffer): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/**
 * A file as JSON, or as its bytes when the caller accepts `application/octet-stream` or the file is too large to
 * stand in JSON. Bytes are written by strangers: a browser must neither sniff, run nor frame them.
 */
export function sendFile(request: Request, response: Response, file: FileAnswer, inlineLimit: number): void {
  const { bytes, ...facts } = file;
  const etag = `"${file.sha256}"`;
  if (!request.headers.accept?.includes('application/octet-stream') && bytes.length <= inlineLimit) {
    const json = { ...facts, content: bytes.toString(file.encoding) };
    sendTagged(request, response, { bytes: Buffer.from(JSON.stringify(json)), etag });
    return;
  }
  const download = { fileName: baseName(file.path), mediaType: 'application/octet-stream', bytes };
  sendDownload(request, response, download, etag);
}

/** Bytes to be kept, never shown: also by a browser that was led here. */
export interface DownloadAnswer {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export function sendDownload(
  request: Request,
  response: Response,
  { fileName, mediaType, bytes }: DownloadAnswer,
  etag: string,
): void {
  response.setHeader('ETag', etag);
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'private, no-cache');
  if (matchesTag(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** A file that is larger than memory should be. */
export interface StreamAnswer {
  readonly fileName: string;
  readonly size: number;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Sends a stream at the speed of whoever takes it; a caller that goes away ends it. */
export async function sendStream(
  response: Response,
  { fileName, size, stream }: StreamAnswer,
): Promise<void> {
  response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/gzip');
  response.setHeader('Content-Length', size);
  // Nobody is left to be told.
  await pipeline(Readable.from(stream), response).catch(() => undefined);
}

/** Writes a refusal as problem details, unless the answer has already begun. */
export function sendProblem(response: Response, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error, requestId);
  const bytes = Buffer.from(JSON.stringify(problem));
  if (typeof problem['retry_after'] === 'number') response.setHeader('Retry-After', problem['retry_after']);
  response.removeHeader('ETag');
  response.statusCode = problem.status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => {
    const tag = one.trim().replace(/^W\//, '');
    return tag === etag || tag === '*';
  });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
