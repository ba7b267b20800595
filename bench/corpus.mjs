// A deterministic corpus of skills. Skill i depends on the seed and on i alone, so a small corpus is the
// beginning of a large one. Sizes follow published skills: SKILL.md median 12 KB, 90 % under 26 KB, 99 % under
// 60 KB; 40 % have scripts (median 6.6 KB each), 74 % have references (median 9.6 KB each).
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TOPICS =
  `pdf docx csv json html css react python rust docker terraform postgres redis kafka graphql oauth stripe
  slack github jira email calendar finance tax legal clinical chemistry statistics chart audio image translation
  research security logging testing release`.split(/\s+/);
const DOING =
  'builder reviewer writer analyzer converter extractor validator planner formatter optimizer auditor monitor'.split(
    ' ',
  );
const FREQUENT =
  `the and to of a in for with when use this or is data from file code as user task step output input query
  result value table list example check error test run create read write parse load format field key type path`.split(
    /\s+/,
  );
const SYLLABLES = 'ra ko mi te lun sa ve po dri gal ten bo ish var qui nor'.split(' ');
const TOOLS = ['Read', 'Write', 'Bash', 'Grep', 'Glob', 'WebFetch'];
const LICENSES = ['MIT', 'Apache-2.0', 'BSD-3-Clause'];
const EXTENSIONS = ['py', 'py', 'py', 'js', 'sh'];

/** The folder of a corpus with so many skills; made once and kept for later runs. */
export function corpus(count, { seed = 1, lean = true } = {}) {
  const dir = join(tmpdir(), `skillwright-bench-${seed}-${count}${lean ? '-lean' : ''}`);
  const complete = join(dir, 'complete');
  if (existsSync(complete)) return join(dir, 'skills');
  rmSync(dir, { recursive: true, force: true });
  const blocks = makeBlocks(seed);
  for (let i = 0; i < count; i++) {
    const { name, files } = makeSkill(i, seed, lean, blocks);
    for (const [path, text] of files) {
      const target = join(dir, 'skills', name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
  writeFileSync(complete, '');
  return join(dir, 'skills');
}

function makeSkill(i, seed, lean, blocks) {
  const random = generator(Math.imul(seed, 0x9e3779b1) ^ Math.imul(i + 1, 0x85ebca6b));
  const [topic, doing] = [random.pick(TOPICS), random.pick(DOING)];
  const name = `${topic}-${doing}-${i.toString(36)}`;
  const skillMd = `${frontmatter(random, name, topic, doing)}# ${topic} ${doing}\n\n${prose(random, blocks, random.size(11_400, 25_500, 1_000, 75_000))}`;
  const files = [['SKILL.md', skillMd]];
  if (lean) return { name, files };
  const scripts = random.chance(0.4) ? random.size(3, 8, 1, 60) : 0;
  const references = random.chance(0.74) ? random.size(4, 9, 1, 60) : 0;
  for (let n = 0; n < scripts; n++) {
    files.push([
      `scripts/${doing}-${n}.${random.pick(EXTENSIONS)}`,
      code(random, random.size(6_600, 15_900, 400, 60_000)),
    ]);
  }
  for (let n = 0; n < references; n++) {
    files.push([`references/part-${n}.md`, prose(random, blocks, random.size(9_600, 19_200, 300, 60_000))]);
  }
  return { name, files };
}

function frontmatter(random, name, topic, doing) {
  const length = random.size(320, 560, 80, 600);
  let description = `A ${doing} for ${topic} work${random.chance(0.2) ? ': ' : ', '}used to ${words(random, 6)}.`;
  while (description.length < length) description += ` ${sentence(random)}`;
  description = description.slice(0, length).trimEnd();
  const plain = !description.includes(': ') && random.chance(0.9);
  const lines = [`name: ${name}`, `description: ${plain ? description : JSON.stringify(description)}`];
  if (random.chance(0.8)) lines.push(`license: ${random.pick(LICENSES)}`);
  if (random.chance(0.5)) lines.push('tags:', `  - "${topic}"`, `  - "${doing}"`, `  - "${word(random)}"`);
  if (random.chance(0.3))
    lines.push('allowed-tools:', `  - ${random.pick(TOOLS)}`, `  - ${random.pick(TOOLS)}`);
  if (random.chance(0.75))
    lines.push('metadata:', `  author: Team ${word(random)}`, `  version: "${random.int(0, 9)}.0"`);
  return `---\n${lines.join('\n')}\n---\n\n`;
}

function makeBlocks(seed) {
  const random = generator(seed ^ 0x5eed);
  const kinds = [
    () => list(random.int(2, 5), () => sentence(random)).join(' '),
    () => list(random.int(3, 7), () => `- **${word(random)}**: ${words(random, 9)}`).join('\n'),
    () => `\`\`\`python\n${code(random, 300)}\`\`\``,
    () => `### ${words(random, 4)}\n\n${sentence(random)}`,
    () => '---',
  ];
  return list(500, (n) => kinds[n % kinds.length]());
}

function prose(random, blocks, bytes) {
  const parts = [];
  for (let length = 0; length < bytes; length += parts.at(-1).length + 2) parts.push(random.pick(blocks));
  return `${parts.join('\n\n')}\n`;
}

function code(random, bytes) {
  const lines = [];
  for (let length = 0; length < bytes; length += lines.at(-1).length + 1) {
    lines.push(
      `${word(random)}_${word(random)} = ${word(random)}(${random.int(0, 99)}, "${words(random, 2)}")`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const list = (length, make) => Array.from({ length }, (_, n) => make(n));
const words = (random, count) => list(count, () => word(random)).join(' ');

function sentence(random) {
  const text = words(random, random.int(6, 18));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const VOCABULARY = vocabulary();

/** Rank by Zipf: the n-th word is about n times rarer than the first. */
function word(random) {
  return VOCABULARY[Math.floor(VOCABULARY.length ** random.next()) - 1];
}

function vocabulary() {
  const random = generator(42);
  const all = new Set([...FREQUENT, ...TOPICS, ...DOING]);
  while (all.size < 6000) all.add(list(random.int(2, 4), () => random.pick(SYLLABLES)).join(''));
  return [...all];
}

/** Seeded random numbers (xorshift with a final multiplication). */
function generator(seed) {
  let state = seed | 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x9e3779b1) >>> 0) / 4294967296;
  };
  for (let n = 0; n < 8; n++) next();
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (from) => from[Math.floor(next() * from.length)],
    chance: (probability) => next() < probability,
    /** Log-normal with this median and 90th percentile, kept between the bounds. */
    size: (median, p90, low, high) =>
      Math.round(
        Math.min(high, Math.max(low, median * Math.exp((Math.log(p90 / median) / 1.2816) * normal()))),
      ),
  };
}
