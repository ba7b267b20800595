import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { type CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { EmbeddingsEndpoint } from '../../../src/skills/search/embeddings-endpoint.adapter.js';
import { SearchService } from '../../../src/skills/search/search.service.js';
import { checkTriggers } from '../../../src/skills/search/trigger-check.service.js';
import { startedCatalog } from '../../support/catalog-of.js';
import { EmbeddingsServer } from '../../support/embeddings-server.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;
let catalog: CatalogService;

beforeEach(async () => {
  temp = new TempFolder();
  temp.skill('skills/knots', { description: 'Ties ropes to moorings and posts with lasting hitches.' });
  temp.skill('skills/sails', { description: 'Mends torn sails.' });
  catalog = await startedCatalog(temp);
});
afterEach(async () => {
  await catalog.stop();
  temp.remove();
});

function draftOf(slug: string, description: string) {
  return { slug, name: slug, description, frontmatter: { tags: null } };
}

function check(search: SearchService, draft: ReturnType<typeof draftOf>, ...prompts: string[]) {
  const others = [...catalog.snapshot().bySlug.values()].filter(({ layer }) => layer !== 'builtin');
  return checkTriggers(search, { draft, prompts, others });
}

describe('the check of a draft', () => {
  it('ranks it among the others for each prompt, with those that stand before it', async () => {
    const draft = draftOf('anchors', 'Chooses an anchor and a rope for a ground.');
    const search = new SearchService(resolveOptions(), catalog);
    const { ranks, among, vectors } = await check(
      search,
      draft,
      'which anchor',
      'mooring ropes',
      'bake bread',
    );
    expect(ranks).toMatchObject([
      { prompt: 'which anchor', rank: 1, ahead: [] },
      { prompt: 'mooring ropes', rank: 2, ahead: [{ entry: { slug: 'knots' } }] },
      { prompt: 'bake bread', rank: null, ahead: [] },
    ]);
    expect([among, vectors]).toEqual([3, { state: 'off' }]);
  });

  it('puts it in the place of the stored skill with the same slug, and leaves that as it is', async () => {
    const search = new SearchService(resolveOptions(), catalog);
    const { ranks, among } = await check(search, draftOf('sails', 'Sews canvas.'), 'torn', 'canvas');
    expect(ranks.map(({ rank }) => rank)).toEqual([null, 1]);
    expect(among).toBe(2);
    expect((await search.search({ query: 'torn', limit: 5 })).total).toBe(1);
  });

  it('names skills that say nearly the same, in the same words', async () => {
    const search = new SearchService(resolveOptions(), catalog);
    const draft = draftOf('hitches', 'Ties ropes to posts with a lasting hitch.');
    const { nearDuplicates } = await check(search, draft, 'tie');
    expect(nearDuplicates).toMatchObject([{ skill: { slug: 'knots' }, cosine: null }]);
    expect(nearDuplicates[0]?.sharedWords).toBeGreaterThan(0.5);
  });

  it('names skills that say the same in other words where there are vectors', async () => {
    const server = await EmbeddingsServer.start();
    const endpoint = new EmbeddingsEndpoint({
      url: server.url,
      model: 'any',
      apiKey: undefined,
      dimension: undefined,
      leastCosine: 0.5,
      batch: 10,
      timeoutMs: 5_000,
    });
    const search = new SearchService(resolveOptions(), catalog, endpoint);
    const { nearDuplicates, ranks } = await check(search, draftOf('cords', 'Fastens a cord.'), 'line');
    expect(nearDuplicates).toMatchObject([{ skill: { slug: 'knots' }, sharedWords: 0 }]);
    expect(ranks[0]?.rank).toBe(1);
    await server.stop();
  });
});
