import { type IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { SkillwrightError } from '../../kernel/errors.js';

export interface MultipartLimits {
  /** Of the one file. */
  readonly fileBytes: number;
  /** Longest silence of the sender. */
  readonly idleMs?: number;
}

export interface MultipartBody {
  /** In the order of the request; a name may stand twice. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file: { readonly field: string; readonly bytes: Buffer };
}

const IDLE_MS = 30_000;
/** Boundaries, headers and fields around the file. */
const FRAME_BYTES = 262_144;
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 20,
  headerPairs: 100,
  headerSize: 16_384,
  fieldSize: 16_384,
} as const;

/**
 * Reads an upload of one file; holds no more of it than the limits allow.
 *
 * @throws SkillwrightError `unsupported_media_type`, `payload_too_large`, `bad_request`, `request_timeout`
 */
export async function readMultipart(
  request: IncomingMessage,
  limits: MultipartLimits,
): Promise<MultipartBody> {
  try {
    return await new Upload(request, limits).read();
  } catch (error) {
    // The rest is read and thrown away, so that the answer reaches a sender that is still sending.
    request.unpipe();
    request.resume();
    throw error;
  }
}

class Upload {
  readonly #fields: (readonly [string, string])[] = [];
  readonly #chunks: Buffer[] = [];
  #file: string | null = null;
  #total = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: MultipartLimits,
  ) {}

  read(): Promise<MultipartBody> {
    const parser = this.#parser();
    return new Promise((resolve, reject) => {
      const silence = setTimeout(() => {
        stop(new SkillwrightError('request_timeout', { detail: 'the upload stopped half-way' }));
      }, this.limits.idleMs ?? IDLE_MS);
      const stop = (error: Error): void => {
        clearTimeout(silence);
        this.request.unpipe(parser);
        reject(error);
      };
      const refuse = (detail: string): void => {
        stop(new SkillwrightError('bad_request', { field: 'body', detail: `body: ${detail}` }));
      };
      this.request.on('data', (chunk: Buffer) => {
        silence.refresh();
        this.#total += chunk.length;
        if (this.#total > this.limits.fileBytes + FRAME_BYTES) stop(this.#tooLarge());
      });
      this.request.once('close', () => {
        if (!this.request.complete) refuse('it did not arrive whole');
      });
      this.#listen(parser, { stop, refuse });
      parser.once('finish', () => {
        clearTimeout(silence);
        if (this.#file === null) refuse('it holds no file');
        else {
          const bytes = Buffer.concat(this.#chunks);
          resolve({ fields: this.#fields, file: { field: this.#file, bytes } });
        }
      });
      this.request.pipe(parser);
    });
  }

  #parser(): BusboyInstance {
    const { headers } = this.request;
    const type = headers['content-type'] ?? '';
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      const got = type.split(';', 1)[0] ?? '';
      const detail = `expected multipart/form-data, got ${got === '' ? 'no content type' : got}`;
      throw new SkillwrightError('unsupported_media_type', { detail });
    }
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      const detail = `content encoding ${encoding} is not accepted`;
      throw new SkillwrightError('unsupported_media_type', { detail });
    }
    if (Number(headers['content-length']) > this.limits.fileBytes + FRAME_BYTES) throw this.#tooLarge();
    try {
      return new Busboy({
        headers: { ...headers, 'content-type': type },
        limits: { ...LIMITS, fileSize: this.limits.fileBytes },
      });
    } catch (cause) {
      const detail = 'body: the multipart boundary is missing';
      throw new SkillwrightError('bad_request', { field: 'body', detail }, { cause });
    }
  }

  #listen(
    parser: BusboyInstance,
    { stop, refuse }: { stop: (error: Error) => void; refuse: (detail: string) => void },
  ): void {
    parser.on('file', (field, stream) => {
      this.#file = field;
      stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      stream.once('limit', () => {
        stop(this.#tooLarge());
      });
      stream.on('error', () => {
        refuse('it did not arrive whole');
      });
    });
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) refuse(`the field ${JSON.stringify(name)} is too long`);
      this.#fields.push([name, value]);
    });
    parser.once('filesLimit', () => {
      refuse('it holds more than one file');
    });
    parser.once('fieldsLimit', () => {
      refuse(`it holds more than ${LIMITS.fields} fields`);
    });
    parser.once('partsLimit', () => {
      refuse(`it holds more than ${LIMITS.parts} parts`);
    });
    parser.on('error', () => {
      refuse('it is not well-formed multipart');
    });
  }

  #tooLarge(): SkillwrightError {
    const limit = this.limits.fileBytes;
    return new SkillwrightError('payload_too_large', { detail: `the file is over ${limit} bytes`, limit });
  }
}
