import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
}

/** Words that mean the same to this server, so that a test can tell a vector from a word. */
const MEANINGS: readonly (readonly string[])[] = [
  ['rope', 'ropes', 'cord', 'line'],
  ['pilot', 'guide', 'helmsman'],
  ['fish', 'herring', 'catch'],
];

/** An OpenAI-compatible embeddings endpoint: one number a meaning, and one for everything else. */
export class EmbeddingsServer {
  readonly asked: Asked[] = [];
  /** Answers to the next requests instead of vectors; null keeps the request waiting. */
  readonly next: ({ status: number; headers?: Record<string, string>; body?: string } | null)[] = [];
  model = 'meanings-1';
  /** Zeros at the end of each vector. */
  padding = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EmbeddingsServer> {
    const server = createServer();
    const endpoint = new EmbeddingsServer(server);
    server.on('request', (request: IncomingMessage, response) => {
      void bodyOf(request).then((text) => {
        const { model, input } = JSON.parse(text) as Pick<Asked, 'model' | 'input'>;
        endpoint.asked.push({ model, input, authorization: request.headers.authorization });
        const instead = endpoint.next.shift();
        if (instead === null) return;
        const body = instead?.body ?? JSON.stringify(endpoint.answer(input));
        response.writeHead(instead?.status ?? 200, {
          'content-type': 'application/json',
          ...instead?.headers,
        });
        response.end(body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(input: readonly string[]): unknown {
    // In another order than asked: clients must go by the index.
    const data = input.map((text, index) => ({ index, embedding: this.vector(text) })).reverse();
    return { object: 'list', model: this.model, data };
  }

  private vector(text: string): number[] {
    const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
    const numbers = MEANINGS.map((meaning) => words.filter((word) => meaning.includes(word)).length);
    const known = numbers.reduce((sum, count) => sum + count, 0);
    return [...numbers, known === 0 ? 1 : 0.1, ...Array.from({ length: this.padding }, () => 0)];
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
