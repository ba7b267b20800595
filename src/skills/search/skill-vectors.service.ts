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

/** What of a skill becomes its vector. */
type TextedSkill = Pick<SkillEntry, 'name' | 'description'>;

const KEPT_TEXTS = 500;
/** An endpoint that failed is left alone for so long: searches do not wait for it. */
const REST_MS = 30_000;

/** Keeps the vectors of skills and of recent queries, all of one model. */
export class SkillVectors {
  private vectors = new WeakMap<TextedSkill, Float32Array | 'none'>();
  /** Of queries, and of skills outside the catalogue. */
  private readonly recent = new Map<string, Float32Array | null>();
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

  get twinCosine(): number {
    return this.embedder.twinCosine;
  }

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
    const numbers = (await this.ofTexts([query.trim()]))[0] ?? null;
    return numbers && { numbers, leastCosine: this.embedder.leastCosine };
  }

  /** Vectors of skills, made at once where they are not known; those that cannot be had are null. */
  async ofSkills(skills: readonly TextedSkill[]): Promise<readonly (Float32Array | null)[]> {
    const unknown = skills.filter((skill) => !this.vectors.has(skill));
    const made = await this.ofTexts(unknown.map(vectorText));
    const fresh = new Map(unknown.map((skill, at) => [skill, made[at] ?? null]));
    return skills.map((skill) => {
      const known = this.vectors.get(skill);
      return known === undefined ? (fresh.get(skill) ?? null) : known === 'none' ? null : known;
    });
  }

  private async ofTexts(texts: readonly string[]): Promise<readonly (Float32Array | null)[]> {
    const missing = [...new Set(texts)].filter((text) => text !== '' && !this.recent.has(text));
    for (let at = 0; at < missing.length && !this.isResting(); at += this.embedder.batch) {
      const batch = missing.slice(at, at + this.embedder.batch);
      const made = await this.embed(batch);
      if (made !== null) batch.forEach((text, n) => this.recent.set(text, made.vectors[n] ?? null));
    }
    const found = texts.map((text) => this.recent.get(text) ?? null);
    for (const text of this.recent.keys()) {
      if (this.recent.size <= KEPT_TEXTS) break;
      this.recent.delete(text);
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
    this.recent.clear();
    this.dimension = null;
    this.target.dropVectors();
    for (const entry of this.everyEntry()) this.wanted.add(entry);
  }
}
