import { type SkillwrightOptions } from '../../config/options.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { Analyzer, type AnalyzerRules, type SearchableSkill, textsOf } from './analyzer.js';
import { fuse, type FusedHit } from './fusion.js';
import { LexicalIndex } from './lexical-index.js';
import {
  type Bm25Rules,
  LexicalRanker,
  type LexicalRanking,
  type RankScope,
  type TermMatch,
} from './lexical-ranker.js';
import { type GuessRules } from './query-terms.js';
import { VectorIndex } from './vector-index.js';
import { foldName } from './words.js';

export interface SearchRules extends AnalyzerRules, Bm25Rules, GuessRules {}

/** The rules by which skills are searched, as the options say. */
export function rulesOf(
  options: SkillwrightOptions['search'],
  isWord: (word: string) => boolean = () => false,
): SearchRules {
  const { nameWeight, slugWeight, tagWeight, descriptionWeight, headingWeight, k1, b } = options;
  const weights = {
    name: nameWeight,
    slug: slugWeight,
    tags: tagWeight,
    description: descriptionWeight,
    headings: headingWeight,
  };
  return {
    weights,
    k1,
    b,
    stem: true,
    dropStopWords: true,
    complete: true,
    // A word that means something else is no misspelling: dogs are not docs.
    correct: (word) => !isWord(word),
  };
}

/** One skill that a search found. */
export interface FoundSkill<Skill = SkillEntry> {
  readonly entry: Skill;
  readonly score: number;
  /** What words alone make of it; 0 where none was found. */
  readonly lexicalScore: number;
  /** How near its vector is to the query's; null where one of them has none. */
  readonly cosine: number | null;
  /** How much of what the query says its words hold, 0 to 1. */
  readonly coverage: number;
  readonly matches: readonly TermMatch[];
  /** True when the query is the skill's name or slug. */
  readonly named: boolean;
}

export interface FoundSkills<Skill = SkillEntry> {
  /** Best first; equal scores by slug. */
  readonly found: readonly FoundSkill<Skill>[];
  /** Skills that match, among the found or not. */
  readonly total: number;
  /** True when words alone found as much as was asked for, so that a vector could not add anything. */
  readonly settled: boolean;
}

export interface QueryVector {
  /** Of length 1. */
  readonly numbers: Float32Array;
  /** How near a skill must be that shares no word with the query. */
  readonly leastCosine: number;
}

export interface SkillQuery<Skill = SkillEntry> {
  readonly query: string;
  readonly limit: number;
  /** Only these are ranked; null for all that the index holds. Entries that it does not hold are passed over. */
  readonly scope: readonly Skill[] | null;
  readonly vector?: QueryVector | null;
}

/** Candidates of the words that the vector may bring up. */
const RERANKED = 50;
const FOUND_ALL = 0.999;

/** Whether agents may find the skill at all: it can be had, and it is not hidden from the model. */
export function isSearchable({ availability, frontmatter }: SkillEntry): boolean {
  return (availability === 'available' || availability === 'degraded') && !frontmatter.disableModelInvocation;
}

/**
 * Skills and the words by which they are found. Slugs are the keys: a step, like a catalogue, has one skill for each.
 *
 * @example
 * const index = new SkillIndex(rulesOf(options.search));
 * index.set(entry);
 * index.search({ query: 'review a diff', limit: 5, scope: null }).found[0]?.entry.slug;
 */
export class SkillIndex<Skill extends SearchableSkill = SkillEntry> {
  private readonly analyzer: Analyzer;
  private readonly lexical = new LexicalIndex();
  private readonly ranker: LexicalRanker;
  private vectors: VectorIndex | null = null;
  private readonly entries = new Map<string, Skill>();
  /** Folded name, slug or last part of the slug -> slugs. */
  private readonly names = new Map<string, Set<string>>();

  constructor(rules: SearchRules) {
    this.analyzer = new Analyzer(rules);
    this.ranker = new LexicalRanker(this.lexical, this.analyzer, rules);
  }

  holds(entry: Skill): boolean {
    return this.entries.get(entry.slug) === entry;
  }

  get size(): number {
    return this.entries.size;
  }

  get(slug: string): Skill | undefined {
    return this.entries.get(slug);
  }

  all(): Iterable<Skill> {
    return this.entries.values();
  }

  slugs(): string[] {
    return [...this.entries.keys()];
  }

  set(entry: Skill, headings: readonly string[] = []): void {
    const before = this.entries.get(entry.slug);
    if (before !== undefined && vectorText(before) !== vectorText(entry)) this.dropVector(entry.slug);
    this.dropNames(entry.slug);
    this.entries.set(entry.slug, entry);
    this.lexical.set(entry.slug, this.analyzer.document(textsOf(entry, headings)));
    for (const name of namesOf(entry)) {
      const slugs = this.names.get(name);
      if (slugs) slugs.add(entry.slug);
      else this.names.set(name, new Set([entry.slug]));
    }
  }

  delete(slug: string): void {
    this.dropNames(slug);
    this.dropVector(slug);
    this.lexical.delete(slug);
    this.entries.delete(slug);
  }

  private dropNames(slug: string): void {
    const entry = this.entries.get(slug);
    for (const name of entry === undefined ? [] : namesOf(entry)) {
      const slugs = this.names.get(name);
      slugs?.delete(slug);
      if (slugs?.size === 0) this.names.delete(name);
    }
  }

  /** @param vector of length 1 and, like all others, of the model's dimension */
  setVector(entry: Skill, vector: Float32Array): void {
    const doc = this.holds(entry) ? this.lexical.docOf(entry.slug) : undefined;
    if (doc === undefined) return;
    this.vectors ??= new VectorIndex(vector.length);
    this.vectors.set(doc, vector);
  }

  /** Forgets the vectors of another model. */
  dropVectors(): void {
    this.vectors = null;
  }

  search({ query, limit, scope, vector = null }: SkillQuery<Skill>): FoundSkills<Skill> {
    const ranking = scope && this.rankScope(scope);
    const most = vector === null ? limit : Math.max(limit, RERANKED);
    const ranked = this.ranker.rank({ query, limit: most, scope: ranking });
    const hits = this.fused(ranked, vector, ranking);
    const named = this.namedBy(query, scope);
    const found = hits.flatMap((hit) => {
      const entry = this.entries.get(hit.id);
      return entry === undefined || named.includes(entry) ? [] : [{ ...hit, entry, named: false }];
    });
    const best = hits[0]?.score ?? 0;
    const first = named.map((entry) => {
      const hit = hits.find(({ id }) => id === entry.slug) ?? { ...UNRANKED, score: 0 };
      // Whoever says a name means that skill, however often others repeat its words.
      return { ...hit, score: hit.score + best + 1, entry, named: true };
    });
    first.sort((a, b) => b.score - a.score);
    const unranked = named.filter(({ slug }) => !hits.some(({ id }) => id === slug));
    return {
      found: [...first, ...found].slice(0, limit),
      total: ranked.total + hits.filter(({ matches }) => matches.length === 0).length + unranked.length,
      settled: named.length > 0 || isEnough(ranked, limit),
    };
  }

  private fused(
    { hits }: LexicalRanking,
    vector: QueryVector | null,
    scope: RankScope | null,
  ): readonly FusedHit[] {
    const { vectors, lexical } = this;
    if (vector === null || vectors === null || vectors.dimension !== vector.numbers.length) {
      return hits.map((hit) => ({ ...hit, lexicalScore: hit.score, cosine: null }));
    }
    const near = vectors.nearest(vector.numbers, vector.leastCosine, scope);
    return fuse({
      lexical: hits,
      near: near.map(({ doc, cosine }) => ({ id: lexical.idOf(doc), cosine })),
      cosineOf(id) {
        const doc = lexical.docOf(id);
        return doc !== undefined && vectors.has(doc) ? vectors.cosine(doc, vector.numbers) : null;
      },
    });
  }

  private namedBy(query: string, scope: readonly Skill[] | null): Skill[] {
    const slugs = this.names.get(foldName(query));
    if (slugs === undefined) return [];
    const entries = [...slugs].sort().flatMap((slug) => this.entries.get(slug) ?? []);
    return scope === null ? entries : entries.filter((entry) => scope.includes(entry));
  }

  private dropVector(slug: string): void {
    const doc = this.lexical.docOf(slug);
    if (doc !== undefined) this.vectors?.delete(doc);
  }

  private rankScope(scope: readonly Skill[]): RankScope {
    const mask = new Uint8Array(this.lexical.capacity);
    let size = 0;
    for (const entry of scope) {
      const doc = this.holds(entry) ? this.lexical.docOf(entry.slug) : undefined;
      if (doc === undefined || mask[doc] === 1) continue;
      mask[doc] = 1;
      size += 1;
    }
    return { mask, size };
  }
}

function namesOf({ slug, name }: SearchableSkill): ReadonlySet<string> {
  const last = slug.slice(slug.lastIndexOf('/') + 1);
  return new Set([slug, name, last].map(foldName).filter((folded) => folded !== ''));
}

const UNRANKED = { lexicalScore: 0, cosine: null, coverage: 0, matches: [] } as const;

function isEnough({ hits }: LexicalRanking, limit: number): boolean {
  return hits.length >= limit && hits.slice(0, limit).every(({ coverage }) => coverage >= FOUND_ALL);
}

/** The text that stands for a skill among vectors. */
export function vectorText({ name, description }: Pick<SearchableSkill, 'name' | 'description'>): string {
  return `${name.replace(/[-_/]+/g, ' ')}: ${description}`;
}
