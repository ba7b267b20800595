import { editDistance } from './edit-distance.js';

/** A word of the index that stands in for one of the query. */
export interface NearWord {
  readonly word: string;
  readonly term: string;
  /** Edits between the two. */
  readonly distance: number;
}

// New words wait here unsorted: sorting all of them anew for each edit of a skill would cost more than looking here.
const MAX_UNSORTED = 64;

/** All spellings in an index, for words that are not finished or not spelled right. */
export class Vocabulary {
  private readonly terms = new Map<string, string>();
  private sorted: string[] = [];
  private unsorted = new Set<string>();

  add(word: string, term: string): void {
    if (this.sorted[this.firstFrom(word)] !== word) this.unsorted.add(word);
    this.terms.set(word, term);
  }

  delete(word: string): void {
    this.terms.delete(word);
  }

  /** Words that begin so, without the beginning itself; shorter ones first. */
  completions(beginning: string, most: number): NearWord[] {
    const found = this.beginningWith(beginning).filter((word) => word !== beginning);
    found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    return found.slice(0, most).map((word) => this.near(word, 0));
  }

  /** Words with the same first letter within so many edits; nearest first. */
  corrections(word: string, edits: number, most: number): NearWord[] {
    const found: NearWord[] = [];
    for (const candidate of this.beginningWith(word.slice(0, 1))) {
      const distance = editDistance(word, candidate, edits);
      if (distance <= edits) found.push(this.near(candidate, distance));
    }
    found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
    return found.slice(0, most);
  }

  private near(word: string, distance: number): NearWord {
    return { word, term: this.terms.get(word) ?? word, distance };
  }

  private beginningWith(beginning: string): string[] {
    if (this.unsorted.size > MAX_UNSORTED) this.sort();
    const found: string[] = [];
    for (let at = this.firstFrom(beginning); at < this.sorted.length; at += 1) {
      const word = this.sorted[at] ?? '';
      if (!word.startsWith(beginning)) break;
      if (this.terms.has(word)) found.push(word);
    }
    for (const word of this.unsorted) {
      if (word.startsWith(beginning) && this.terms.has(word)) found.push(word);
    }
    return found;
  }

  private firstFrom(beginning: string): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') < beginning) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private sort(): void {
    this.sorted = [...this.terms.keys()].sort();
    this.unsorted = new Set();
  }
}
