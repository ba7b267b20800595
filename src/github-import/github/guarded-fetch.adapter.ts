import { createHash } from 'node:crypto';
import { SkillwrightError } from '../../kernel/errors.js';
import { type GitHubHost } from './github-hosts.js';
import { judgeAnswer } from './judge-answer.js';
import { type RateLimitStop } from './rate-limit-stop.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What differs between a process and a test: the network, the clock, chance. */
export interface Outside {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export interface GuardOptions {
  readonly host: GitHubHost;
  /** Sent to the API alone, never stored. */
  readonly token: string | null;
  readonly tokenOf: 'caller' | 'service' | 'none';
  readonly stop: RateLimitStop;
  readonly outside: Outside;
  /** Ends everything that belongs to one import. */
  readonly deadline: AbortSignal;
}

const MAX_REDIRECTS = 5;
const IDLE_MS = 10_000;
const MAX_WAIT_S = 2;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Carries a refusal of ours through Octokit, which takes every other error of a fetch for one of the network and asks
 * again.
 */
class Stopped extends Error {
  override readonly name = 'AbortError';

  constructor(readonly refusal: SkillwrightError) {
    super(refusal.message);
  }
}

class Silence extends Error {
  override readonly name = 'SilenceError';
}

/** Whether a request failed since nothing came for too long. */
export function isSilence(error: unknown): boolean {
  return (error as { name?: unknown }).name === 'SilenceError';
}

/** The refusal that ended a request; null when it was something else. */
export function refusalIn(error: unknown): SkillwrightError | null {
  return (error as { refusal?: SkillwrightError }).refusal ?? null;
}

/**
 * The one way to GitHub: connects to the configured origins only, follows redirects by hand, sends the token to the
 * API alone, and holds no more of an answer than it was told to expect.
 */
export class GuardedFetch {
  readonly #apiOrigin: string;
  readonly #limitKey: string;

  constructor(private readonly options: GuardOptions) {
    const { host, token } = options;
    this.#apiOrigin = new URL(host.api).origin;
    this.#limitKey = `${this.#apiOrigin} ${createHash('sha256')
      .update(token ?? '')
      .digest('hex')}`;
  }

  /** A fetch whose answer is whole in memory and has at most so many bytes. */
  whole(maxBytes: number): Fetch {
    return async (url, init) => {
      const { response, controller } = await this.#ask(url, init);
      const bytes = response.body === null ? null : await this.#collect(response.body, maxBytes, controller);
      return new Response(bytes, { status: response.status, headers: plainHeaders(response.headers) });
    };
  }

  /** A fetch whose answer is read as it comes; the reader bounds it. */
  streaming(): Fetch {
    return async (url, init) => {
      const { response } = await this.#ask(url, init);
      return response;
    };
  }

  async #ask(url: string, init: RequestInit): Promise<{ response: Response; controller: AbortController }> {
    const { outside, stop } = this.options;
    for (let waited = false; ; waited = true) {
      const stopped = stop.check(this.#limitKey, outside.now());
      if (stopped !== null) throw new Stopped(stopped);
      const { response, controller } = await this.#follow(url, init);
      if (response.ok) stop.succeeded(this.#limitKey);
      else {
        const seconds = await this.#judge(response, controller, waited);
        if (seconds !== null) {
          await outside.sleep(seconds * 1000);
          continue;
        }
      }
      return { response, controller };
    }
  }

  /** Seconds to wait before it is asked once more; null to go on with the answer. */
  async #judge(response: Response, controller: AbortController, waited: boolean): Promise<number | null> {
    const { outside, stop, tokenOf } = this.options;
    const { status, headers } = response;
    const isLimit = status === 403 || status === 429;
    const text = isLimit ? await this.#text(response.body, controller) : '';
    const judgement = judgeAnswer({
      status,
      header: (name) => headers.get(name),
      text,
      now: outside.now(),
      token: tokenOf,
      strikes: stop.strikes(this.#limitKey),
    });
    if (judgement.kind === 'pass') return null;
    controller.abort();
    if (judgement.kind === 'refused') {
      throw new Stopped(new SkillwrightError(judgement.code, { detail: judgement.because, status }));
    }
    if (judgement.seconds <= MAX_WAIT_S && !waited) return judgement.seconds;
    const jitter = Math.ceil(outside.random() * 3);
    const seconds = Math.min(judgement.seconds + jitter, 3600);
    throw new Stopped(stop.stop(this.#limitKey, { ...judgement, seconds }, outside.now()));
  }

  async #follow(
    first: string,
    init: RequestInit,
  ): Promise<{ response: Response; controller: AbortController }> {
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      this.#requireAllowed(url);
      const { response, controller } = await this.#once(url, init);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return { response, controller };
      controller.abort();
      url = this.#resolve(location, url);
    }
    throw unavailable(`it redirects more than ${MAX_REDIRECTS} times`);
  }

  #resolve(location: string, base: string): string {
    if (!URL.canParse(location, base)) throw unavailable('it redirects to no address');
    return new URL(location, base).href;
  }

  #requireAllowed(url: string): void {
    const { origin, username, password } = new URL(url);
    const isKnown = origin === this.#apiOrigin || this.options.host.origins.includes(origin);
    if (!isKnown || username !== '' || password !== '') {
      throw unavailable(`it redirects to ${origin}, which is not one of its own hosts`);
    }
  }

  async #once(url: string, init: RequestInit): Promise<{ response: Response; controller: AbortController }> {
    const { outside, deadline } = this.options;
    const controller = new AbortController();
    const end = (): void => {
      controller.abort();
    };
    deadline.addEventListener('abort', end, { once: true });
    if (deadline.aborted) end();
    const idle = setTimeout(end, IDLE_MS);
    try {
      const response = await outside.fetch(url, {
        method: 'GET',
        headers: this.#headersFor(url, init.headers),
        redirect: 'manual',
        signal: controller.signal,
      });
      return { response, controller };
    } catch (error) {
      throw controller.signal.aborted ? this.#ended() : error;
    } finally {
      clearTimeout(idle);
    }
  }

  /** Silence may pass when it is asked again; the end of the whole import does not. */
  #ended(): Error {
    return this.options.deadline.aborted ? new Stopped(timeout()) : new Silence('nothing came in time');
  }

  /** Octokit puts the token on whatever it asks; only the API gets it. */
  #headersFor(url: string, given: RequestInit['headers']): Record<string, string> {
    const headers = Object.fromEntries(
      Object.entries(given as Record<string, string>).filter(
        ([name]) => name.toLowerCase() !== 'authorization',
      ),
    );
    const { token } = this.options;
    if (token !== null && new URL(url).origin === this.#apiOrigin)
      headers['authorization'] = `Bearer ${token}`;
    return headers;
  }

  async #collect(
    body: ReadableStream<Uint8Array>,
    maxBytes: number,
    controller: AbortController,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of watched(body, controller)) {
      total += chunk.length;
      if (total > maxBytes) {
        controller.abort();
        const detail = `an answer is over ${maxBytes} bytes`;
        throw new Stopped(new SkillwrightError('source_too_large', { detail, limit: maxBytes }));
      }
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks));
  }

  async #text(body: ReadableStream<Uint8Array> | null, controller: AbortController): Promise<string> {
    return body === null ? '' : Buffer.from(await this.#collect(body, 65_536, controller)).toString();
  }
}

/** The chunks of a body; ends when nothing comes for too long. */
export async function* watched(
  body: ReadableStream<Uint8Array>,
  controller: AbortController = new AbortController(),
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const idle = setTimeout(() => {
    controller.abort();
    void reader.cancel().catch(() => undefined);
  }, IDLE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (controller.signal.aborted) throw new Silence('nothing came in time');
      if (done) return;
      idle.refresh();
      yield value;
    }
  } catch (error) {
    throw controller.signal.aborted ? new Silence('nothing came in time') : error;
  } finally {
    clearTimeout(idle);
    void reader.cancel().catch(() => undefined);
  }
}

/** The body was unpacked on the way, so what the header says of its coding and length holds no more. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}

function unavailable(because: string): Stopped {
  return new Stopped(
    new SkillwrightError('source_unavailable', { detail: `GitHub cannot be asked: ${because}` }),
  );
}

export function timeout(): SkillwrightError {
  return new SkillwrightError('source_timeout', { detail: 'GitHub did not answer in time' });
}
