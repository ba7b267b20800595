import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { type Embedder } from '../../../src/skills/search/embedder.js';
import { createEmbedder } from '../../../src/skills/search/embedder.factory.js';
import { type FoundSkill, rulesOf, SkillIndex, vectorText } from '../../../src/skills/search/skill-index.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { skillEntry } from '../../support/skill-entries.js';

interface LabelledSet {
  readonly skills: readonly { readonly slug: string; readonly description: string }[];
  readonly queries: readonly { readonly kind: string; readonly query: string; readonly right: string[] }[];
  readonly nonsense: readonly string[];
}

const set = JSON.parse(readFileSync('test/fixtures/search/labelled-set.json', 'utf8')) as LabelledSet;
const { search } = resolveOptions({ search: { wordVectors: resolve('word-vectors/vectors.bin') } });

let embedder: Embedder;
let index: SkillIndex;

async function vectorOf(text: string): Promise<Float32Array | null> {
  return (await embedder.embed([text])).vectors[0] ?? null;
}

async function find(query: string, withVectors: boolean): Promise<readonly FoundSkill[]> {
  const numbers = withVectors ? await vectorOf(query) : null;
  const vector = numbers && { numbers, leastCosine: embedder.leastCosine };
  return index.search({ query, limit: 10, scope: null, vector }).found;
}

async function quality(withVectors: boolean, kinds?: readonly string[]) {
  const queries = set.queries.filter(({ kind }) => kinds?.includes(kind) ?? true);
  let recall = 0;
  let reciprocal = 0;
  for (const { query, right } of queries) {
    const place = (await find(query, withVectors)).findIndex(({ entry }) => right.includes(entry.slug));
    if (place >= 0 && place < 5) recall += 1;
    if (place >= 0) reciprocal += 1 / (place + 1);
  }
  return { recallAt5: recall / queries.length, meanReciprocalRank: reciprocal / queries.length };
}

beforeAll(async () => {
  embedder = createEmbedder({ search }, new WorkspaceFiles())!;
  await embedder.embed([]);
  index = new SkillIndex(rulesOf(search, (word) => embedder.isWord(word)));
  for (const skill of set.skills) {
    const entry = skillEntry(skill);
    index.set(entry);
    const vector = await vectorOf(vectorText(entry));
    if (vector !== null) index.setVector(entry, vector);
  }
});

describe('the labelled set', () => {
  it('has 200 queries over 100 skills, and 40 that nothing answers', () => {
    expect([set.queries.length, set.skills.length, set.nonsense.length]).toEqual([200, 100, 40]);
  });

  it('is answered by words alone wherever a query shares any with its skill', async () => {
    const sharing = ['keyword', 'name', 'form', 'beginning', 'typo', 'near', 'sentence', 'language'];
    const { recallAt5, meanReciprocalRank } = await quality(false, sharing);
    expect(recallAt5).toBe(1);
    expect(meanReciprocalRank).toBeGreaterThan(0.98);
  });

  it('is answered better with vectors, and no worse where words suffice', async () => {
    const words = await quality(false, ['paraphrase']);
    const both = await quality(true, ['paraphrase']);
    expect(both.recallAt5).toBeGreaterThan(words.recallAt5 * 2);
    expect((await quality(true)).recallAt5).toBeGreaterThan(0.87);
  });

  it('has no answer to nonsense', async () => {
    const answered: string[] = [];
    for (const query of set.nonsense) if ((await find(query, true)).length > 0) answered.push(query);
    expect(answered).toEqual([]);
  });

  it('has the best skill by words among the first three where it holds them all', async () => {
    let understood = 0;
    for (const { query } of set.queries) {
      const [first] = await find(query, false);
      if (first?.coverage !== 1) continue;
      understood += 1;
      const slugs = (await find(query, true)).map(({ entry }) => entry.slug);
      expect(slugs.slice(0, 3)).toContain(first.entry.slug);
    }
    expect(understood).toBeGreaterThan(80);
  });
});

describe('word vectors', () => {
  it.each([
    ['is not there', '/nowhere/vectors.bin', 'cannot be read'],
    ['is another file', resolve('package.json'), 'no word vectors'],
  ])('are a failure with a reason when the file %s', async (_, wordVectors, because) => {
    const options = resolveOptions({ search: { wordVectors } });
    const broken = createEmbedder(options, new WorkspaceFiles())!;
    await expect((async () => broken.embed(['x']))()).rejects.toMatchObject({
      code: 'embeddings_failed',
      message: expect.stringContaining(because),
    });
  });

  it('are not loaded where they are not wanted', () => {
    const files = new WorkspaceFiles();
    expect(createEmbedder(resolveOptions({ search: { vectors: 'off' } }), files)).toBeNull();
    expect(() => resolveOptions({ search: { vectors: 'endpoint' } })).toThrow('search.endpointUrl');
  });
});
