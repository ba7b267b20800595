import { SkillwrightError } from '../../kernel/errors.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { type Embedded, type Embedder } from './embedder.js';
import { type QueryVector, vectorText } from './skill-index.js';
import { type VectorState } from './vector-state.js';

export interface VectorTarget {
  setVector(entry: SkillEntry, vector: Float32Array): void;
  /** Forgets the vectors of another model. */
  dropVectors(): void;
}

const KEPT_QUERIES = 500;
/** An endpoint that failed is left alone for so long: searches do not wait for it. */
const REST_MS = 30_000;

/** Keeps the vectors of skills and of recent queries, all of one model. */
export class SkillVectors {
  private vectors = new WeakMap<SkillEntry, Float32Array | 'none'>();
  private readonly queries = new Map<string, Float32Array | null>();
  private readonly wanted = new Set<SkillEntry>();
  private model: string | null = null;
  private dimension: number | null = null;
  private failure: { readonly because: string; readonly until: number } | null = null;

  constructor(
    private readonly embedder: Embedder,
    private readonly target: VectorTarget,
    /** Every entry that needs a vector, asked for when the model changed. */
    private readonly everyEntry: () => Iterable<SkillEntry>,
    private readonly now: () => number = Date.now,
  ) {}

  state(): VectorState {
    if (this.failure !== null) return { state: 'failed', because: this.failure.because };
    return this.wanted.size > 0 ? { state: 'pending', count: this.wanted.size } : { state: 'ready' };
  }

  want(entry: SkillEntry): void {
    const known = this.vectors.get(entry);
    if (known === undefined) this.wanted.add(entry);
    else if (known !== 'none') this.target.setVector(entry, known);
  }

  unwant(entry: SkillEntry): void {
    this.wanted.delete(entry);
  }

  /** Embeds one batch of what is wanted. @returns false when there is nothing to do, or no use in trying now */
  async embedNext(): Promise<boolean> {
    if (this.isResting()) return false;
    const batch = [...this.wanted].slice(0, this.embedder.batch);
    if (batch.length === 0) return false;
    const made = await this.embed(batch.map(vectorText));
    made?.vectors.forEach((vector, at) => {
      const entry = batch[at];
      if (entry === undefined || !this.wanted.delete(entry)) return;
      this.vectors.set(entry, vector ?? 'none');
      if (vector !== null) this.target.setVector(entry, vector);
    });
    return made !== null;
  }

  /** The query's vector; null when there is none, or the endpoint does not give it. */
  async ofQuery(query: string): Promise<QueryVector | null> {
    const { leastCosine } = this.embedder;
    const key = query.trim();
    let numbers = this.queries.get(key);
    if (numbers === undefined) {
      if (key === '' || this.isResting()) return null;
      const made = await this.embed([key]);
      if (made === null) return null;
      numbers = made.vectors[0] ?? null;
      this.keepQuery(key, numbers);
    }
    return numbers === null ? null : { numbers, leastCosine };
  }

  /** Vectors of entries outside the catalogue, made at once; those that cannot be had are missing. */
  async ofEntries(entries: readonly SkillEntry[]): Promise<ReadonlyMap<SkillEntry, Float32Array>> {
    const missing = entries.filter((entry) => !this.vectors.has(entry));
    for (let at = 0; at < missing.length && !this.isResting(); at += this.embedder.batch) {
      const batch = missing.slice(at, at + this.embedder.batch);
      const made = await this.embed(batch.map(vectorText));
      batch.forEach((entry, n) => {
        if (made !== null) this.vectors.set(entry, made.vectors[n] ?? 'none');
      });
    }
    const found = new Map<SkillEntry, Float32Array>();
    for (const entry of entries) {
      const vector = this.vectors.get(entry);
      if (vector !== undefined && vector !== 'none') found.set(entry, vector);
    }
    return found;
  }

  private isResting(): boolean {
    return this.failure !== null && this.now() < this.failure.until;
  }

  private async embed(texts: readonly string[]): Promise<Embedded | null> {
    try {
      const made = await this.embedder.embed(texts);
      const length = made.vectors.find((vector) => vector !== null)?.length ?? null;
      if (
        made.model === this.model &&
        length !== null &&
        this.dimension !== null &&
        length !== this.dimension
      ) {
        const detail = `vectors of ${this.model} had ${this.dimension} numbers and have ${length} now`;
        throw new SkillwrightError('embeddings_failed', { detail });
      }
      this.failure = null;
      if (this.model !== null && made.model !== this.model) this.startAnew();
      this.model = made.model;
      this.dimension = length ?? this.dimension;
      return made;
    } catch (error) {
      const because = SkillwrightError.is(error) ? error.message : `a bug: ${String(error)}`;
      this.failure = { because, until: this.now() + REST_MS };
      return null;
    }
  }

  /** Vectors of two models have nothing to do with each other. */
  private startAnew(): void {
    this.vectors = new WeakMap();
    this.queries.clear();
    this.dimension = null;
    this.target.dropVectors();
    for (const entry of this.everyEntry()) this.wanted.add(entry);
  }

  private keepQuery(key: string, numbers: Float32Array | null): void {
    if (this.queries.size >= KEPT_QUERIES) {
      const [oldest] = this.queries.keys();
      if (oldest !== undefined) this.queries.delete(oldest);
    }
    this.queries.set(key, numbers);
  }
}
