// How well the labelled set is answered by words, by vectors and by both: the right skill among the first five
// (recall@5), and the mean of one divided by its place (MRR).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { createEmbedder } = require('../../dist/skills/search/embedder.factory.js');
const { rulesOf, SkillIndex, vectorText } = require('../../dist/skills/search/skill-index.js');
const { WorkspaceFiles } = require('../../dist/workspace/workspace-files.adapter.js');

const place = new URL('../../test/fixtures/search/labelled-set.json', import.meta.url);
const set = JSON.parse(readFileSync(place, 'utf8'));

function prepare() {
  const options = resolveOptions();
  const embedder = createEmbedder(options, new WorkspaceFiles());
  const vectorOf = (text) => embedder.embed([text]).vectors[0];
  vectorOf('');
  const index = new SkillIndex(rulesOf(options.search, (word) => embedder.isWord(word)));
  for (const { slug, description } of set.skills) {
    const frontmatter = { tags: null, disableModelInvocation: false };
    const entry = { slug, name: slug, description, frontmatter, availability: 'available' };
    index.set(entry);
    const vector = vectorOf(vectorText(entry));
    if (vector !== null) index.setVector(entry, vector);
  }
  const found = (query, numbers, leastCosine) => {
    const vector = numbers && { numbers, leastCosine };
    return index.search({ query, limit: 10, scope: null, vector }).found.map(({ entry }) => entry.slug);
  };
  return {
    words: (query) => found(query, null, 0),
    vectors: (query) => found('', vectorOf(query), -1),
    both: (query) => found(query, vectorOf(query), embedder.leastCosine),
  };
}

function quality(answer, queries) {
  const places = queries.map(({ query, right }) => answer(query).findIndex((slug) => right.includes(slug)));
  const share = (values) => (values.reduce((sum, value) => sum + value, 0) / queries.length).toFixed(3);
  return {
    'recall@5': share(places.map((at) => (at >= 0 && at < 5 ? 1 : 0))),
    MRR: share(places.map((at) => (at < 0 ? 0 : 1 / (at + 1)))),
  };
}

const by = (name) => ({
  name: `search quality: ${name}`,
  figures() {
    const answer = prepare()[name];
    const kinds = [...new Set(set.queries.map(({ kind }) => kind))];
    const parts = kinds.map((kind) => {
      const { MRR } = quality(
        answer,
        set.queries.filter((query) => query.kind === kind),
      );
      return [kind, MRR];
    });
    const answered = set.nonsense.filter((query) => answer(query).length > 0).length;
    return {
      ...quality(answer, set.queries),
      ...(name !== 'vectors' && { nonsense: `${answered}/${set.nonsense.length}` }),
      ...Object.fromEntries(parts),
    };
  },
});

export const rows = [by('words'), by('vectors'), by('both')];
