/** A ready answer: its bytes, its tag, and how to tell whether it still holds. */
export interface CachedAnswer {
  readonly etag: string;
  readonly bytes: Buffer;
  /** What the answer was made from; equal stamps mean the same answer. */
  readonly stamp: string;
  readonly currentStamp: () => string;
}

/**
 * Keeps the latest answers as bytes, so that an unchanged question costs a map look-up and a few file stats.
 * Bounded by bytes and by count; the least recently asked go first.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;

  constructor(
    private readonly maxBytes = 64 * 1024 * 1024,
    private readonly maxAnswers = 5000,
  ) {}

  /** The answer if nothing changed since it was made. */
  get(key: string): CachedAnswer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#remove(key, answer);
    if (answer.currentStamp() !== answer.stamp) return undefined;
    this.#add(key, answer);
    return answer;
  }

  set(key: string, answer: CachedAnswer): void {
    if (answer.bytes.length > this.maxBytes / 16) return;
    const old = this.#answers.get(key);
    if (old !== undefined) this.#remove(key, old);
    this.#add(key, answer);
    for (const [oldest, value] of this.#answers) {
      if (this.#bytes <= this.maxBytes && this.#answers.size <= this.maxAnswers) break;
      this.#remove(oldest, value);
    }
  }

  #add(key: string, answer: CachedAnswer): void {
    this.#answers.set(key, answer);
    this.#bytes += answer.bytes.length;
  }

  #remove(key: string, answer: CachedAnswer): void {
    this.#answers.delete(key);
    this.#bytes -= answer.bytes.length;
  }
}
