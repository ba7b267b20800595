import { type SkillEntry } from '../discovery/skill-entry.js';
import { stemEnglish } from './porter2.js';
import { STOP_WORDS } from './stop-words.js';
import { isSpelled, wordsOf } from './words.js';

export const SEARCH_FIELDS = ['name', 'slug', 'tags', 'description', 'headings'] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

/** How much a word counts by the field it stands in; 0 leaves the field out. */
export type FieldWeights = Readonly<Record<SearchField, number>>;

/** The texts by which a skill is found. */
export type SearchTexts = Readonly<Record<SearchField, string>>;

export interface AnalyzerRules {
  readonly weights: FieldWeights;
  /** Whether English words are reduced to their stem. */
  readonly stem: boolean;
  /** Whether words that stand everywhere are left out. */
  readonly dropStopWords: boolean;
}

/** A document as the index takes it. */
export interface AnalyzedDocument {
  /** Term -> how often it occurs, weighted by fields. */
  readonly terms: ReadonlyMap<string, number>;
  /** Spellings behind the terms, for completing and correcting. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Words, weighted by fields. */
  readonly length: number;
}

// Stems are worth keeping, but not the words of everything that was ever indexed.
const MAX_KEPT_STEMS = 100_000;

/** Turns texts into terms, the same way for documents and queries. */
export class Analyzer {
  private readonly stems = new Map<string, string>();

  constructor(private readonly rules: AnalyzerRules) {}

  document(texts: SearchTexts): AnalyzedDocument {
    const terms = new Map<string, number>();
    const spellings = new Map<string, string>();
    let length = 0;
    for (const field of SEARCH_FIELDS) {
      const weight = this.rules.weights[field];
      if (weight === 0) continue;
      for (const word of wordsOf(texts[field], 'document')) {
        if (this.isDropped(word)) continue;
        const term = this.term(word);
        length += weight;
        terms.set(term, (terms.get(term) ?? 0) + weight);
        if (isSpelled(word)) spellings.set(word, term);
      }
    }
    return { terms, spellings, length };
  }

  /** The words of a query in their order, a repeated one as often as it is repeated. */
  query(text: string): string[] {
    return wordsOf(text, 'query').filter((word) => !this.isDropped(word));
  }

  term(word: string): string {
    if (!this.rules.stem || word.length < 3) return word;
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    const stem = /^[a-z]+$/.test(word) ? stemEnglish(word) : word;
    if (this.stems.size >= MAX_KEPT_STEMS) this.stems.clear();
    this.stems.set(word, stem);
    return stem;
  }

  private isDropped(word: string): boolean {
    return this.rules.dropStopWords && STOP_WORDS.has(word);
  }
}

/** What is known of a skill without its body, and the headings where somebody has read them. */
export function textsOf(
  { slug, name, description, frontmatter }: SkillEntry,
  headings: readonly string[] = [],
): SearchTexts {
  return {
    name,
    slug,
    tags: (frontmatter.tags ?? []).join(' '),
    description,
    headings: headings.join('\n'),
  };
}
