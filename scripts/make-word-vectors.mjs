// Makes word-vectors/vectors.bin, the built-in word vectors of the search, out of freely licensed text: descriptions
// of Debian packages and glosses of WordNet 3.0. Needs Debian with the packages `fasttext` and `wordnet-base` and
// lists that hold English descriptions:
//   apt-get install fasttext wordnet-base && apt-get update -o Acquire::Languages=en
//   node scripts/make-word-vectors.mjs [FOLDER-OF-APT-LISTS]
// One thread, so that the same text gives the same file; about ten minutes.
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { encodeWordVectors } = require(join(root, 'dist/skills/search/word-vectors.js'));

const LISTS = process.argv[2] ?? '/var/lib/apt/lists';
const WORDNET = '/usr/share/wordnet';
const WORDS = 30_000;
const DIMENSION = 128;

const work = mkdtempSync(join(tmpdir(), 'word-vectors-'));
const lines = [...new Set([...packageTexts(), ...glosses()])];
writeFileSync(join(work, 'text'), `${lines.join('\n')}\n`);
console.log(`${lines.length} lines in ${work}`);
execFileSync(
  'fasttext',
  `skipgram -input ${work}/text -output ${work}/model -dim ${DIMENSION} -minCount 5 -maxn 0 -ws 5 -epoch 6 -neg 5
   -lr 0.05 -thread 1`.split(/\s+/),
  { stdio: 'inherit' },
);
const counts = countWords(lines);
const words = await readVectors(join(work, 'model.vec'), counts);
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
const shareOf = (word) => counts.get(word) / total;
const mean = meanVector(words, shareOf);
const bytes = encodeWordVectors(
  words.map(({ word, vector }) => ({
    word,
    share: shareOf(word),
    // The mean of all texts says nothing about one of them, and would make any two look alike.
    vector: vector.map((value, at) => value - mean[at]),
  })),
);
mkdirSync(join(root, 'word-vectors'), { recursive: true });
writeFileSync(join(root, 'word-vectors/vectors.bin'), bytes);
console.log(`${words.length} words, ${bytes.length} bytes`);

/** Each paragraph of a description once: libraries repeat those of their source. */
function* packageTexts() {
  for (const file of readdirSync(LISTS).filter((name) => name.includes('_Translation-en'))) {
    const path = join(LISTS, file);
    const options = { encoding: 'utf8', maxBuffer: 1 << 28 };
    const text = execFileSync('/usr/lib/apt/apt-helper', ['cat-file', path], options);
    for (const [, description] of text.matchAll(/^Description-en: (.*(?:\n .*)*)/gm)) {
      for (const paragraph of description.split(/\n (?=\.$)|\n \.\n/m)) yield plain(paragraph);
    }
  }
}

/** The words of a synset, those of the more general one, then the gloss with its examples. */
function* glosses() {
  for (const kind of ['noun', 'verb', 'adj', 'adv']) {
    const rows = readFileSync(join(WORDNET, `data.${kind}`), 'utf8').split('\n');
    const lemmas = new Map();
    const parsed = rows.filter((row) => /^\d/.test(row)).map((row) => parseSynset(row));
    for (const { offset, words } of parsed) lemmas.set(offset, words);
    for (const { words, general, gloss } of parsed) {
      yield plain([...words, ...(lemmas.get(general) ?? []), gloss].join(' '));
    }
  }
}

function parseSynset(row) {
  const [facts, gloss] = row.split(' | ');
  const parts = facts.split(' ');
  const count = parseInt(parts[3], 16);
  const words = parts.slice(4, 4 + 2 * count).filter((_, at) => at % 2 === 0);
  const general = parts.indexOf('@', 4 + 2 * count);
  const readable = words.map((word) => word.replace(/_/g, ' '));
  return { offset: parts[0], words: readable, general: general < 0 ? null : parts[general + 1], gloss };
}

function plain(text) {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

function countWords(texts) {
  const seen = new Map();
  for (const text of texts) for (const word of text.split(' ')) seen.set(word, (seen.get(word) ?? 0) + 1);
  return seen;
}

async function readVectors(path, seen) {
  const found = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [word, ...values] = line.trim().split(' ');
    if (values.length === DIMENSION && /^[a-z][a-z0-9]+$/.test(word) && seen.has(word)) {
      found.push({ word, vector: values.map(Number) });
    }
  }
  return found.slice(0, WORDS);
}

/** Each word once, frequent ones less, as in a text. */
function meanVector(entries, shareOf) {
  const sum = new Float64Array(DIMENSION);
  let weight = 0;
  for (const { word, vector } of entries) {
    const own = 1e-3 / (1e-3 + shareOf(word));
    weight += own;
    vector.forEach((value, at) => (sum[at] += own * value));
  }
  return sum.map((value) => value / weight);
}
