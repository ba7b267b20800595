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

interface WordFacts {
  readonly term: string;
  /** Whether it may complete or correct a word of a query. */
  readonly spelled: boolean;
}

// What was found out of a word is worth keeping, but not of every word that was ever indexed.
const MAX_KNOWN = 100_000;

/** Turns texts into terms, the same way for documents and queries. */
export class Analyzer {
  private readonly known = new Map<string, WordFacts | null>();

  constructor(private readonly rules: AnalyzerRules) {}

  document(texts: SearchTexts): AnalyzedDocument {
    const terms = new Map<string, number>();
    const spellings = new Map<string, string>();
    let length = 0;
    for (const field of SEARCH_FIELDS) {
      const weight = this.rules.weights[field];
      if (weight === 0) continue;
      for (const word of wordsOf(texts[field], 'document')) {
        const known = this.facts(word);
        if (known === null) continue;
        const { term } = known;
        length += weight;
        terms.set(term, (terms.get(term) ?? 0) + weight);
        if (known.spelled) spellings.set(word, term);
      }
    }
    return { terms, spellings, length };
  }

  /** The different terms of a text. */
  terms(text: string): Set<string> {
    return new Set(this.query(text).map((word) => this.term(word)));
  }

  /** The words of a query in their order, a repeated one as often as it is repeated. */
  query(text: string): string[] {
    return wordsOf(text, 'query').filter((word) => this.facts(word) !== null);
  }

  term(word: string): string {
    return this.facts(word)?.term ?? word;
  }

  private facts(word: string): WordFacts | null {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const dropped = this.rules.dropStopWords && STOP_WORDS.has(word);
    const english = this.rules.stem && word.length > 2 && /^[a-z]+$/.test(word);
    const facts = dropped ? null : { term: english ? stemEnglish(word) : word, spelled: isSpelled(word) };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(word, facts);
    return facts;
  }
}

/** What a skill must say of itself to be found. */
export interface SearchableSkill {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: { readonly tags: readonly string[] | null };
}

/** What is known of a skill without its body, and the headings where somebody has read them. */
export function textsOf(
  { slug, name, description, frontmatter }: SearchableSkill,
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
