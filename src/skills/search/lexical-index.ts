import { type AnalyzedDocument } from './analyzer.js';
import { PostingList } from './posting-list.js';
import { Vocabulary } from './vocabulary.js';

interface Held {
  readonly doc: number;
  readonly terms: readonly string[];
}

/**
 * Term -> documents, in typed arrays. A document can be added, replaced and removed at any time; nothing of a removed
 * one stays behind, and its number is given to the next.
 */
export class LexicalIndex {
  readonly vocabulary = new Vocabulary();
  private readonly postings = new Map<string, PostingList>();
  private readonly held = new Map<string, Held>();
  private readonly free: number[] = [];
  private readonly ids: (string | undefined)[] = [];
  /** Words of each document, weighted. */
  lengths = new Float32Array(256);
  /** Sum of them over all documents. */
  totalLength = 0;

  get size(): number {
    return this.held.size;
  }

  /** Numbers of documents are below this. */
  get capacity(): number {
    return this.ids.length;
  }

  has(id: string): boolean {
    return this.held.has(id);
  }

  docOf(id: string): number | undefined {
    return this.held.get(id)?.doc;
  }

  idOf(doc: number): string {
    return this.ids[doc] ?? '';
  }

  postingsOf(term: string): PostingList | undefined {
    return this.postings.get(term);
  }

  /** Adds a document, or puts it in the place of the one with the same id. */
  set(id: string, { terms, spellings, length }: AnalyzedDocument): void {
    const before = this.held.get(id);
    const doc = before?.doc ?? this.free.pop() ?? this.ids.length;
    if (before !== undefined) {
      // Most of an edited text stays as it was: only what is gone is taken out.
      for (const term of before.terms) if (!terms.has(term)) this.dropTerm(term, doc);
      this.totalLength -= this.lengths[doc] ?? 0;
    }
    this.ids[doc] = id;
    if (doc >= this.lengths.length) this.growLengths();
    this.lengths[doc] = length;
    // Read back: what is taken off later must be what was added, and 32 bits round.
    this.totalLength += this.lengths[doc] ?? 0;
    for (const [term, weight] of terms) {
      let list = this.postings.get(term);
      if (list === undefined) this.postings.set(term, (list = new PostingList()));
      list.set(doc, weight);
    }
    for (const [word, term] of spellings) {
      const list = this.postings.get(term);
      if (list === undefined || list.spellings.has(word)) continue;
      list.spellings.add(word);
      this.vocabulary.add(word, term);
    }
    this.held.set(id, { doc, terms: [...terms.keys()] });
  }

  delete(id: string): void {
    const held = this.held.get(id);
    if (held === undefined) return;
    for (const term of held.terms) this.dropTerm(term, held.doc);
    this.totalLength -= this.lengths[held.doc] ?? 0;
    this.lengths[held.doc] = 0;
    this.ids[held.doc] = undefined;
    this.free.push(held.doc);
    this.held.delete(id);
  }

  private dropTerm(term: string, doc: number): void {
    const list = this.postings.get(term);
    list?.delete(doc);
    if (list?.size !== 0) return;
    for (const word of list.spellings) this.vocabulary.delete(word);
    this.postings.delete(term);
  }

  private growLengths(): void {
    const lengths = new Float32Array(this.lengths.length * 2);
    lengths.set(this.lengths);
    this.lengths = lengths;
  }
}
