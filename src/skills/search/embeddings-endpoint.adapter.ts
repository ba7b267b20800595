import { SkillwrightError } from '../../kernel/errors.js';
import { type Embedded, type Embedder } from './embedder.js';
import { readEmbeddings } from './embeddings-answer.js';

export interface EmbeddingsEndpointOptions {
  /** Without `/embeddings`: `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly dimension: number | undefined;
  readonly leastCosine: number;
  readonly batch: number;
  readonly timeoutMs: number;
}

const TRIES = 3;
/** Models differ, but above this few texts mean different things. */
const TWIN_COSINE = 0.88;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

type Reply =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'again'; readonly because: string; readonly afterMs: number | null }
  | { readonly kind: 'refused'; readonly because: string };

/** Asks an OpenAI-compatible endpoint for vectors; busy and broken answers are asked for again. */
export class EmbeddingsEndpoint implements Embedder {
  readonly batch: number;
  readonly leastCosine: number;
  readonly twinCosine = TWIN_COSINE;

  constructor(
    private readonly options: EmbeddingsEndpointOptions,
    private readonly pause: (ms: number) => Promise<void> = (ms) =>
      new Promise((resume) => setTimeout(resume, ms)),
  ) {
    this.batch = options.batch;
    this.leastCosine = options.leastCosine;
  }

  async embed(texts: readonly string[]): Promise<Embedded> {
    const { model, dimension } = this.options;
    for (let tries = 1; ; tries += 1) {
      const reply = await this.ask(texts);
      if (reply.kind === 'answer') {
        const question = { model, count: texts.length, dimension: dimension ?? null };
        const answer = readEmbeddings(reply.body, question);
        if (answer.kind === 'wrong') throw failed(answer.because);
        return answer;
      }
      if (reply.kind === 'refused' || tries === TRIES) throw failed(reply.because);
      const wanted = reply.afterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      if (wanted > LONGEST_PAUSE_MS) throw failed(reply.because);
      await this.pause(wanted);
    }
  }

  isWord(): boolean {
    return false;
  }

  private async ask(input: readonly string[]): Promise<Reply> {
    const { url, model, apiKey, dimension, timeoutMs } = this.options;
    let response: Response;
    try {
      response = await fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input, ...(dimension !== undefined && { dimensions: dimension }) }),
        // A redirect could carry the key elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return { kind: 'answer', body: await response.json() };
      await response.body?.cancel();
    } catch (error) {
      const timedOut = (error as { readonly name?: unknown }).name === 'TimeoutError';
      const because = timedOut ? `nothing came within ${timeoutMs} ms` : 'no JSON came from the endpoint';
      return { kind: 'again', because, afterMs: null };
    }
    const { status } = response;
    const because = `the endpoint answers with status ${status}`;
    if (status !== 429 && status < 500) return { kind: 'refused', because };
    return { kind: 'again', because, afterMs: retryAfter(response) };
  }
}

function retryAfter({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function failed(because: string): SkillwrightError {
  return new SkillwrightError('embeddings_failed', { detail: `embeddings cannot be had: ${because}` });
}
