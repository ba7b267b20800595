import { type SkillwrightOptions } from '../../config/options.js';
import { runSliced, type Sliced } from '../../workspace/time-slices.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { type CatalogSnapshot, type SkillEntry } from '../discovery/skill-entry.js';
import { Analyzer, type SearchableSkill } from './analyzer.js';
import { type Embedder } from './embedder.js';
import { headingsOf } from './headings.js';
import { type ComparedSkill } from './near-duplicates.js';
import { type SearchRequest, type SearchResult } from './search-result.js';
import { SkillVectors } from './skill-vectors.service.js';
import { type VectorState } from './vector-state.js';
import { type FoundSkills, isSearchable, rulesOf, SkillIndex, type SearchRules } from './skill-index.js';

// A scope with entries that the index does not hold (builtins, pointers, frozen versions) gets an index of its own.
const MOST_FOREIGN = 1_000;

/**
 * Finds skills by words. The index follows the catalogue: a search sees every change that the catalogue has seen.
 * Headings of bodies come in after the rest, since they must be read from disk.
 *
 * @example
 * const { found } = await search.search({ query: 'merge pdf', limit: 5 });
 * found[0]?.entry.slug; // 'pdf'
 */
export class SearchService {
  private readonly rules: SearchRules;
  private readonly index: SkillIndex;
  private reached: CatalogSnapshot | null = null;
  private following: Promise<void> | null = null;
  private readonly headings = new WeakMap<SearchableSkill, readonly string[]>();
  private readonly analyzer: Analyzer;
  private readonly unread = new Map<string, SkillEntry>();
  private reading: Promise<void> | null = null;
  private readonly vectors: SkillVectors | null;
  private endFollowing: (() => void) | null = null;

  constructor(
    options: SkillwrightOptions,
    private readonly catalog: CatalogService,
    /** Null: words alone decide. */
    embedder: Embedder | null = null,
    now: () => number = Date.now,
  ) {
    this.rules = rulesOf(options.search, (word) => embedder?.isWord(word) ?? false);
    this.analyzer = new Analyzer(this.rules);
    this.index = new SkillIndex(this.rules);
    this.vectors = embedder && new SkillVectors(embedder, this.index, () => this.index.all(), now);
  }

  /** Follows the catalogue in the background from now on; without it each search follows first. */
  start(): void {
    if (this.endFollowing !== null) return;
    const follow = (): void => {
      // A failure is not lost: the next search comes upon it again.
      this.catchUp().catch(() => undefined);
    };
    this.endFollowing = this.catalog.onChange(follow);
    follow();
  }

  async stop(): Promise<void> {
    this.endFollowing?.();
    this.endFollowing = null;
    this.unread.clear();
    await Promise.allSettled([this.following, this.reading]);
  }

  /** @throws SkillwrightError `not_ready` before the first scan is done */
  async search({ query, limit, scope = null }: SearchRequest): Promise<SearchResult> {
    await this.catchUp();
    // A program that asks once and ends has no later search to be better.
    // An endpoint that failed may be back.
    if (this.vectors !== null && this.vectors.state().state !== 'ready') this.complete();
    if (this.endFollowing === null) await this.reading;
    const place = await this.placeOf(scope);
    const found = await this.searchIn(place.index, { query, limit, scope: place.scope });
    return { ...found, headingsPending: this.unread.size, vectors: this.vectorState() };
  }

  /** How far the vectors are. */
  vectorState(): VectorState {
    return this.vectors?.state() ?? { state: 'off' };
  }

  /** From which cosine two descriptions count as the same in other words. */
  get twinCosine(): number {
    return this.vectors?.twinCosine ?? 1;
  }

  /** An index of just these skills, with the headings that are known. */
  async indexOf<Skill extends SearchableSkill>(skills: readonly Skill[]): Promise<SkillIndex<Skill>> {
    const vectors = (await this.vectors?.ofSkills(skills)) ?? [];
    const index = new SkillIndex<Skill>(this.rules);
    await runSliced(this.fill(index, skills, vectors));
    return index;
  }

  /** Searches by words, and by the vector where words do not suffice. */
  async searchIn<Skill extends SearchableSkill>(
    index: SkillIndex<Skill>,
    { query, limit, scope = null }: { query: string; limit: number; scope?: readonly Skill[] | null },
  ): Promise<FoundSkills<Skill>> {
    const byWords = index.search({ query, limit, scope });
    const vector = byWords.settled ? null : ((await this.vectors?.ofQuery(query)) ?? null);
    return vector === null ? byWords : index.search({ query, limit, scope, vector });
  }

  /** Words and vectors of descriptions, to compare them with each other. */
  async comparable<Skill extends SearchableSkill>(skills: readonly Skill[]): Promise<ComparedSkill<Skill>[]> {
    const vectors = (await this.vectors?.ofSkills(skills)) ?? [];
    return skills.map((skill, at) => ({
      skill,
      terms: this.analyzer.terms(skill.description),
      vector: vectors[at] ?? null,
    }));
  }

  /** Resolves when everything that can be found is in the index, headings and vectors too. */
  async whenIndexed(): Promise<void> {
    await this.catchUp();
    await this.reading;
  }

  private async placeOf(
    scope: readonly SkillEntry[] | null,
  ): Promise<{ readonly index: SkillIndex; readonly scope: readonly SkillEntry[] | null }> {
    const searchable = scope?.filter(isSearchable) ?? null;
    if (searchable === null || searchable.length > MOST_FOREIGN)
      return { index: this.index, scope: searchable };
    if (searchable.every((entry) => this.index.holds(entry))) return { index: this.index, scope: searchable };
    return { index: await this.indexOf(searchable), scope: null };
  }

  private *fill<Skill extends SearchableSkill>(
    index: SkillIndex<Skill>,
    skills: readonly Skill[],
    vectors: readonly (Float32Array | null)[],
  ): Sliced<void> {
    for (const [at, skill] of skills.entries()) {
      index.set(skill, this.headings.get(skill));
      const vector = vectors[at] ?? null;
      if (vector !== null) index.setVector(skill, vector);
      yield;
    }
  }

  private async catchUp(): Promise<void> {
    while (this.reached !== this.catalog.snapshot()) {
      this.following ??= runSliced(this.follow(this.catalog.snapshot())).finally(() => {
        this.following = null;
      });
      await this.following;
    }
  }

  private *follow(snapshot: CatalogSnapshot): Sliced<void> {
    const wanted = new Map<string, SkillEntry>();
    for (const [slug, entry] of snapshot.bySlug) {
      // A builtin comes only with the capability that it needs: where a scope names it.
      if (isSearchable(entry) && entry.layer !== 'builtin') wanted.set(slug, entry);
    }
    for (const slug of this.index.slugs()) {
      if (wanted.has(slug)) continue;
      this.forget(slug);
    }
    for (const [slug, entry] of wanted) {
      if (this.index.holds(entry)) continue;
      this.forget(slug);
      this.index.set(entry);
      this.unread.set(slug, entry);
      this.vectors?.want(entry);
      yield;
    }
    this.reached = snapshot;
    if (this.rules.weights.headings === 0) this.unread.clear();
    this.complete();
  }

  /** Reads headings and makes vectors until nothing is left to do. */
  private complete(): void {
    this.reading ??= runSlicedSteps(() => this.completeNext()).finally(() => {
      this.reading = null;
    });
  }

  private forget(slug: string): void {
    const entry = this.index.get(slug);
    if (entry !== undefined) this.vectors?.unwant(entry);
    this.index.delete(slug);
    this.unread.delete(slug);
  }

  /** Vectors first: they find more than headings. @returns false when nothing is left to do */
  private async completeNext(): Promise<boolean> {
    return ((await this.vectors?.embedNext()) ?? false) || (await this.readNext());
  }

  private async readNext(): Promise<boolean> {
    const [next] = this.unread;
    if (next === undefined) return false;
    const [slug, entry] = next;
    try {
      const { body } = await this.catalog.readDocument(entry);
      const headings = headingsOf(body);
      this.headings.set(entry, headings);
      if (headings.length > 0 && this.index.holds(entry)) this.index.set(entry, headings);
    } catch {
      // A file that is gone or half written: the catalogue notices, and the skill comes again.
    }
    if (this.unread.get(slug) === entry) this.unread.delete(slug);
    return true;
  }
}

const SLICE_MS = 4;

/** Lets the event loop turn after each few milliseconds of work. */
async function runSlicedSteps(next: () => Promise<boolean>): Promise<void> {
  let until = performance.now() + SLICE_MS;
  while (await next()) {
    if (performance.now() < until) continue;
    await new Promise((resume) => setImmediate(resume));
    until = performance.now() + SLICE_MS;
  }
}
