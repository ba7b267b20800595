/** What turns texts into vectors. */
export interface Embedder {
  /** Texts handed over at once. */
  readonly batch: number;
  /** How near a skill must be to be found by its vector alone. */
  readonly leastCosine: number;
  /** From which two descriptions count as the same in other words. */
  readonly twinCosine: number;
  /**
   * Unit vectors in the order of the texts; null for a text of which nothing is known.
   *
   * @throws SkillwrightError `embeddings_failed`
   */
  embed(texts: readonly string[]): Promise<Embedded> | Embedded;
  /** Whether it is a word of the language, and so not a misspelled other one; where nothing is known, no. */
  isWord(word: string): boolean;
}

export interface Embedded {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  readonly vectors: readonly (Float32Array | null)[];
}
