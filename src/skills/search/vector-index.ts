import { type RankScope } from './lexical-ranker.js';

export interface VectorHit {
  readonly doc: number;
  /** Cosine of the angle to the query, -1 to 1. */
  readonly cosine: number;
}

/** Unit vectors by the numbers of documents, searched exactly: every one is compared. */
export class VectorIndex {
  private numbers = new Float32Array(0);
  private readonly docs = new Set<number>();

  constructor(readonly dimension: number) {}

  get size(): number {
    return this.docs.size;
  }

  has(doc: number): boolean {
    return this.docs.has(doc);
  }

  /** @param vector of length 1 */
  set(doc: number, vector: Float32Array): void {
    const end = (doc + 1) * this.dimension;
    if (end > this.numbers.length) {
      const grown = new Float32Array(Math.max(end, this.numbers.length * 2));
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers.set(vector, doc * this.dimension);
    this.docs.add(doc);
  }

  delete(doc: number): void {
    this.docs.delete(doc);
  }

  cosine(doc: number, query: Float32Array): number {
    const { dimension, numbers } = this;
    const start = doc * dimension;
    let sum = 0;
    for (let n = 0; n < dimension; n += 1) sum += (numbers[start + n] ?? 0) * (query[n] ?? 0);
    return sum;
  }

  /** Documents of the scope that are at least so near, nearest first. */
  nearest(query: Float32Array, least: number, scope: RankScope | null): VectorHit[] {
    const hits: VectorHit[] = [];
    for (const doc of this.docs) {
      if (scope !== null && scope.mask[doc] !== 1) continue;
      const cosine = this.cosine(doc, query);
      if (cosine >= least) hits.push({ doc, cosine });
    }
    return hits.sort((a, b) => b.cosine - a.cosine || a.doc - b.doc);
  }
}
