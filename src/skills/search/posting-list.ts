/** The documents that hold one term, ascending, with the term's weight in each. */
export class PostingList {
  docs: Uint32Array<ArrayBuffer> = new Uint32Array(2);
  weights: Float32Array<ArrayBuffer> = new Float32Array(2);
  size = 0;
  /** Spellings of the term, as long as any document holds it. */
  readonly spellings = new Set<string>();

  set(doc: number, weight: number): void {
    const at = this.place(doc);
    if (at < this.size && this.docs[at] === doc) {
      this.weights[at] = weight;
      return;
    }
    if (this.size === this.docs.length) this.grow();
    if (at < this.size) {
      this.docs.copyWithin(at + 1, at, this.size);
      this.weights.copyWithin(at + 1, at, this.size);
    }
    this.docs[at] = doc;
    this.weights[at] = weight;
    this.size += 1;
  }

  delete(doc: number): void {
    const at = this.place(doc);
    if (at === this.size || this.docs[at] !== doc) return;
    this.docs.copyWithin(at, at + 1, this.size);
    this.weights.copyWithin(at, at + 1, this.size);
    this.size -= 1;
  }

  /** The term's weight in a document; 0 where it does not occur. */
  weightIn(doc: number): number {
    const at = this.place(doc);
    return at < this.size && this.docs[at] === doc ? (this.weights[at] ?? 0) : 0;
  }

  /** Where the document stands, or would stand. */
  private place(doc: number): number {
    // Documents arrive in ascending order while an index is built.
    if (this.size === 0 || (this.docs[this.size - 1] ?? 0) < doc) return this.size;
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.docs[middle] ?? 0) < doc) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(): void {
    const docs = new Uint32Array(this.size * 2);
    docs.set(this.docs);
    this.docs = docs;
    const weights = new Float32Array(this.size * 2);
    weights.set(this.weights);
    this.weights = weights;
  }
}
