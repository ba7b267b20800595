import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { EmbeddingsEndpoint } from '../../../src/skills/search/embeddings-endpoint.adapter.js';
import { SearchService } from '../../../src/skills/search/search.service.js';
import { startedCatalog } from '../../support/catalog-of.js';
import { EmbeddingsServer } from '../../support/embeddings-server.js';
import { skillEntry } from '../../support/skill-entries.js';
import { TempFolder } from '../../support/temp-folder.js';

let server: EmbeddingsServer;
let pauses: number[];

beforeEach(async () => {
  server = await EmbeddingsServer.start();
  pauses = [];
});
afterEach(() => server.stop());

function endpoint(more: { dimension?: number; timeoutMs?: number; batch?: number } = {}): EmbeddingsEndpoint {
  const options = {
    url: `${server.url}/`,
    model: 'asked-for',
    apiKey: 'hush',
    dimension: undefined,
    leastCosine: 0.5,
    batch: 2,
    timeoutMs: 5_000,
    ...more,
  };
  return new EmbeddingsEndpoint(options, (ms) => {
    pauses.push(ms);
    return Promise.resolve();
  });
}

describe('an embeddings endpoint', () => {
  it('gives unit vectors in the order of the texts', async () => {
    const { model, vectors } = await endpoint().embed(['rope rope', 'pilot']);
    expect(model).toBe('meanings-1');
    expect(vectors.map((vector) => Array.from(vector!, (value) => Number(value.toFixed(2))))).toEqual([
      [1, 0, 0, 0.05],
      [0, 1, 0, 0.1],
    ]);
    expect(server.asked).toEqual([
      { model: 'asked-for', input: ['rope rope', 'pilot'], authorization: 'Bearer hush' },
    ]);
  });

  it('is asked again when it is busy or broken, as long as it says and no longer than two seconds', async () => {
    server.next.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 });
    expect((await endpoint().embed(['rope'])).vectors).toHaveLength(1);
    expect(pauses).toEqual([1000, 500]);
    server.next.push({ status: 429, headers: { 'retry-after': '60' } });
    await expect(endpoint().embed(['rope'])).rejects.toMatchObject({ code: 'embeddings_failed' });
  });

  it('is given up after three tries, and at once when it refuses', async () => {
    server.next.push({ status: 500 }, { status: 500 }, { status: 500 });
    await expect(endpoint().embed(['rope'])).rejects.toThrow('status 500');
    expect(server.asked).toHaveLength(3);
    server.next.push({ status: 401 });
    await expect(endpoint().embed(['rope'])).rejects.toThrow('status 401');
    expect(server.asked).toHaveLength(4);
  });

  it('does not wait for ever', async () => {
    server.next.push(null, null, null);
    await expect(endpoint({ timeoutMs: 30 }).embed(['rope'])).rejects.toThrow('nothing came within 30 ms');
  });

  it.each([
    ['no list', '{"data": 1}', 'not a list'],
    ['no JSON', 'oops', 'no JSON'],
    ['too few', '{"data": []}', '0 vectors came for 1 texts'],
    ['another length', '{"data": [{"index": 0, "embedding": [1, 2]}]}', '2 numbers instead of 4'],
    [
      'a place that nobody asked for',
      '{"data": [{"index": 7, "embedding": [1, 0, 0, 0]}]}',
      '1 vectors came',
    ],
    ['zeros', '{"data": [{"index": 0, "embedding": [0, 0, 0, 0]}]}', 'no direction'],
  ])('is refused with %s', async (_, body, because) => {
    for (let tries = 0; tries < 3; tries += 1) server.next.push({ status: 200, body });
    await expect(endpoint({ dimension: 4 }).embed(['rope'])).rejects.toThrow(because);
  });
});

describe('a search with vectors', () => {
  let temp: TempFolder;
  let search: SearchService;
  let clock: number;

  const open = async (): Promise<void> => {
    const catalog = await startedCatalog(temp);
    search = new SearchService(resolveOptions(), catalog, endpoint(), () => clock);
  };
  const slugs = async (query: string): Promise<string[]> =>
    (await search.search({ query, limit: 5 })).found.map(({ entry }) => entry.slug);

  beforeEach(() => {
    clock = 0;
    temp = new TempFolder();
    temp.skill('skills/knots', { description: 'Ties ropes.' });
    temp.skill('skills/harbor', { description: 'Calls a pilot.' });
    temp.skill('skills/nets', { description: 'Mends what fish tore.' });
  });
  afterEach(async () => {
    await search.stop();
    temp.remove();
  });

  it('finds a skill that shares no word with the query', async () => {
    await open();
    const { found, vectors } = await search.search({ query: 'cord', limit: 5 });
    expect(found).toMatchObject([{ entry: { slug: 'knots' }, lexicalScore: 0, matches: [] }]);
    expect(found[0]?.cosine).toBeGreaterThan(0.9);
    expect(vectors).toEqual({ state: 'ready' });
    expect(await slugs('unrelated')).toEqual([]);
  });

  it('asks in batches, once for each skill and query', async () => {
    await open();
    await slugs('cord');
    await slugs('cord');
    expect(server.asked.map(({ input }) => input.length)).toEqual([2, 1, 1]);
    temp.skill('skills/knots', { description: 'Ties every rope.' });
    await search.search({ query: 'cord', limit: 5 });
    expect(server.asked).toHaveLength(3);
  });

  it('does not ask for a query that is the name of a skill', async () => {
    await open();
    expect(await slugs('knots')).toEqual(['knots']);
    expect(server.asked.map(({ input }) => input.length)).toEqual([2, 1]);
  });

  it('embeds everything anew when the model changed', async () => {
    await open();
    await slugs('cord');
    server.model = 'meanings-2';
    server.padding = 3;
    await slugs('guide');
    expect(await slugs('guide')).toEqual(['harbor']);
    expect(await slugs('cord')).toEqual(['knots']);
  });

  it('answers by words and says why when the endpoint fails, and asks again after a rest', async () => {
    await open();
    server.next.push({ status: 401 });
    const { found, vectors } = await search.search({ query: 'cord ropes', limit: 5 });
    expect(found.map(({ entry }) => entry.slug)).toEqual(['knots']);
    expect(vectors).toMatchObject({ state: 'failed', because: expect.stringContaining('status 401') });
    await slugs('cord');
    expect(server.asked).toHaveLength(1);
    clock += 60_000;
    expect(await slugs('cord')).toEqual(['knots']);
  });

  it('ranks a scope outside the catalogue by vectors too', async () => {
    await open();
    const pointer = skillEntry({ slug: 'learnings', description: 'What the herring taught.' });
    const { found } = await search.search({ query: 'catch', limit: 5, scope: [pointer] });
    expect(found.map(({ entry }) => entry)).toEqual([pointer]);
  });
});
