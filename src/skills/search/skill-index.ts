import { type SkillwrightOptions } from '../../config/options.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { Analyzer, type AnalyzerRules, textsOf } from './analyzer.js';
import { LexicalIndex } from './lexical-index.js';
import { type Bm25Rules, LexicalRanker, type RankScope, type TermMatch } from './lexical-ranker.js';
import { type GuessRules } from './query-terms.js';
import { foldName } from './words.js';

export interface SearchRules extends AnalyzerRules, Bm25Rules, GuessRules {}

/** The rules by which skills are searched, as the options say. */
export function rulesOf(options: SkillwrightOptions['search']): SearchRules {
  const { nameWeight, slugWeight, tagWeight, descriptionWeight, headingWeight, k1, b } = options;
  const weights = {
    name: nameWeight,
    slug: slugWeight,
    tags: tagWeight,
    description: descriptionWeight,
    headings: headingWeight,
  };
  return { weights, k1, b, stem: true, dropStopWords: true, complete: true, correct: true };
}

/** One skill that a search found. */
export interface FoundSkill {
  readonly entry: SkillEntry;
  readonly score: number;
  readonly matches: readonly TermMatch[];
  /** True when the query is the skill's name or slug. */
  readonly named: boolean;
}

export interface FoundSkills {
  /** Best first; equal scores by slug. */
  readonly found: readonly FoundSkill[];
  /** Skills that match, among the found or not. */
  readonly total: number;
}

export interface SkillQuery {
  readonly query: string;
  readonly limit: number;
  /** Only these are ranked; null for all that the index holds. Entries that it does not hold are passed over. */
  readonly scope: readonly SkillEntry[] | null;
}

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
export class SkillIndex {
  private readonly analyzer: Analyzer;
  private readonly lexical = new LexicalIndex();
  private readonly ranker: LexicalRanker;
  private readonly entries = new Map<string, SkillEntry>();
  /** Folded name, slug or last part of the slug -> slugs. */
  private readonly names = new Map<string, Set<string>>();

  constructor(rules: SearchRules) {
    this.analyzer = new Analyzer(rules);
    this.ranker = new LexicalRanker(this.lexical, this.analyzer, rules);
  }

  holds(entry: SkillEntry): boolean {
    return this.entries.get(entry.slug) === entry;
  }

  get size(): number {
    return this.entries.size;
  }

  slugs(): string[] {
    return [...this.entries.keys()];
  }

  set(entry: SkillEntry, headings: readonly string[] = []): void {
    this.delete(entry.slug);
    this.entries.set(entry.slug, entry);
    this.lexical.set(entry.slug, this.analyzer.document(textsOf(entry, headings)));
    for (const name of namesOf(entry)) {
      const slugs = this.names.get(name);
      if (slugs) slugs.add(entry.slug);
      else this.names.set(name, new Set([entry.slug]));
    }
  }

  delete(slug: string): void {
    const entry = this.entries.get(slug);
    if (entry === undefined) return;
    for (const name of namesOf(entry)) {
      const slugs = this.names.get(name);
      slugs?.delete(slug);
      if (slugs?.size === 0) this.names.delete(name);
    }
    this.lexical.delete(slug);
    this.entries.delete(slug);
  }

  search({ query, limit, scope }: SkillQuery): FoundSkills {
    const ranked = this.ranker.rank({ query, limit, scope: scope && this.rankScope(scope) });
    const visible = scope && new Set(scope.filter((entry) => this.holds(entry)).map(({ slug }) => slug));
    const named = new Set(
      [...(this.names.get(foldName(query)) ?? [])].filter((slug) => visible?.has(slug) ?? true),
    );
    // Whoever says a name means that skill, however often others repeat its words.
    const bonus = named.size === 0 ? 0 : (ranked.hits[0]?.score ?? 0) + 1;
    const found = ranked.hits.flatMap(({ id, score, matches }) => {
      const entry = this.entries.get(id);
      return entry === undefined ? [] : [{ entry, score, matches, named: false }];
    });
    const others = found.filter(({ entry }) => !named.has(entry.slug));
    const first = [...named].sort().flatMap((slug) => {
      const entry = this.entries.get(slug);
      const hit = found.find((one) => one.entry === entry);
      if (entry === undefined) return [];
      return [{ entry, score: (hit?.score ?? 0) + bonus, matches: hit?.matches ?? [], named: true }];
    });
    first.sort((a, b) => b.score - a.score);
    const total = ranked.total + first.filter(({ matches }) => matches.length === 0).length;
    return { found: [...first, ...others].slice(0, limit), total };
  }

  private rankScope(scope: readonly SkillEntry[]): RankScope {
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

function namesOf({ slug, name }: SkillEntry): ReadonlySet<string> {
  const last = slug.slice(slug.lastIndexOf('/') + 1);
  return new Set([slug, name, last].map(foldName).filter((folded) => folded !== ''));
}
