// P5: searching skills by words against minisearch over the same fields; a linear BM25, written down as in the books,
// says whether the ranking is right.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { corpus } from '../corpus.mjs';
import { linearBm25 } from '../support/linear-bm25.mjs';

const require = createRequire(import.meta.url);
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { parseSkill } = require('../../dist/skills/format/parse-skill.js');
const { Analyzer, textsOf } = require('../../dist/skills/search/analyzer.js');
const { headingsOf } = require('../../dist/skills/search/headings.js');
const { LexicalIndex } = require('../../dist/skills/search/lexical-index.js');
const { LexicalRanker } = require('../../dist/skills/search/lexical-ranker.js');
const { rulesOf } = require('../../dist/skills/search/skill-index.js');

const rules = rulesOf(resolveOptions().search);
const FIELDS = ['name', 'slug', 'tags', 'description', 'headings'];
const boost = Object.fromEntries(FIELDS.map((field) => [field, rules.weights[field]]));
const plain = { weights: { name: 0, slug: 1, tags: 0, description: 1, headings: 0 }, stem: false };

const known = new Map();

function documents(count) {
  if (known.has(count)) return known.get(count);
  const skills = corpus(count);
  const { limits } = resolveOptions();
  const docs = readdirSync(skills).map((slug) => {
    const path = join(skills, slug, 'SKILL.md');
    const { frontmatter, body } = parseSkill(readFileSync(path), {
      folderName: slug,
      path,
      limits,
    });
    return { id: slug, ...textsOf({ ...frontmatter, slug, frontmatter }, headingsOf(body)) };
  });
  known.set(count, docs);
  return docs;
}

/** Queries out of the words of descriptions; a few words from anywhere, or a run of them for a sentence. */
function queriesOf(docs, words) {
  const step = Math.floor(docs.length / 40);
  return Array.from({ length: 40 }, (_, n) => {
    const all = docs[n * step].description.split(/\s+/);
    if (words >= 10) return all.slice(0, words).join(' ');
    const parts = all.filter((word) => /^[a-z]{6,}$/i.test(word));
    return Array.from({ length: words }, (_, k) => parts[(k * 7 + n) % parts.length]).join(' ');
  });
}

function indexed(docs, { analysis = rules, ranking = rules } = {}) {
  const index = new LexicalIndex();
  const analyzer = new Analyzer(analysis);
  for (const doc of docs) index.set(doc.id, analyzer.document(doc));
  const ranker = new LexicalRanker(index, analyzer, ranking);
  return { index, analyzer, search: (query) => ranker.rank({ query, limit: 10, scope: null }) };
}

function yardstickOf(docs) {
  const search = new MiniSearch({
    fields: FIELDS,
    searchOptions: { boost, prefix: (_, at, terms) => at === terms.length - 1 },
  });
  search.addAll(docs);
  return search;
}

function checkRanking(docs, queries) {
  const { search } = indexed(docs, {
    analysis: { ...plain, dropStopWords: false },
    ranking: { k1: 1.2, b: 0.75, complete: false, correct: () => false },
  });
  const oracle = linearBm25(docs.map(({ id, slug, description }) => [id, `${slug} ${description}`]));
  for (const query of queries.slice(0, 10)) {
    const expected = oracle(query).slice(0, 10);
    const { hits } = search(query);
    assert.deepEqual(
      hits.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    hits.forEach(({ score }, at) => assert.ok(Math.abs(score - expected[at].score) < 1e-9));
  }
}

const WORDS = [
  ['1 term', 1, 0.1],
  ['3 terms', 3, 0.05],
  ['sentence', 14, 0.02],
];

const searching = (count) =>
  WORDS.map(([name, words, goal]) => ({
    name: `P5 search ${name} ${count}`,
    goal,
    async prepare() {
      const docs = documents(count);
      const queries = queriesOf(docs, words);
      const ours = indexed(docs);
      const yardstick = yardstickOf(docs);
      return {
        check() {
          checkRanking(docs, queries);
          for (const query of queries) assert.ok(ours.search(query).hits.length > 0);
        },
        ours: () => queries.forEach((query) => ours.search(query)),
        yardstick: () => queries.forEach((query) => yardstick.search(query)),
        rounds: 7,
      };
    },
  }));

const building = (count) => ({
  name: `P5 index ${count}`,
  goal: 0.4,
  async prepare() {
    const docs = documents(count);
    return {
      check: () => assert.equal(indexed(docs).index.size, count),
      ours: () => indexed(docs),
      yardstick: () => yardstickOf(docs),
      rounds: 5,
    };
  },
});

const updating = (count) => ({
  name: `P5 update of one ${count}`,
  goal: 0.5,
  async prepare() {
    const docs = documents(count);
    const ours = indexed(docs);
    const yardstick = yardstickOf(docs);
    const changed = docs.filter((_, at) => at % Math.floor(count / 50) === 0);
    let turn = 0;
    return {
      check() {
        const { id } = changed[0];
        ours.index.set(id, ours.analyzer.document({ ...changed[0], description: 'quixotic' }));
        assert.deepEqual(
          ours.search('quixotic').hits.map((hit) => hit.id),
          [id],
        );
      },
      before: () => void turn++,
      ours() {
        for (const doc of changed) {
          const description = `${doc.description} changed${turn}`;
          ours.index.set(doc.id, ours.analyzer.document({ ...doc, description }));
        }
      },
      yardstick() {
        for (const doc of changed)
          yardstick.replace({ ...doc, description: `${doc.description} changed${turn}` });
      },
      rounds: 7,
    };
  },
});

export const rows = [1_000, 10_000].flatMap((count) => [
  ...searching(count),
  building(count),
  updating(count),
]);
