import { type SkillwrightOptions } from '../../config/options.js';
import { runSliced, type Sliced } from '../../workspace/time-slices.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { type CatalogSnapshot, type SkillEntry } from '../discovery/skill-entry.js';
import { headingsOf } from './headings.js';
import { type FoundSkills, isSearchable, rulesOf, SkillIndex, type SearchRules } from './skill-index.js';

export interface SearchRequest {
  readonly query: string;
  /** Hits at most. */
  readonly limit: number;
  /** Only these are ranked, and only what they say has a part in the scores; null: all but builtins. */
  readonly scope?: readonly SkillEntry[] | null;
}

export interface SearchResult extends FoundSkills {
  /** Skills whose headings are not read yet; they are found by everything else. */
  readonly headingsPending: number;
}

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
  private readonly headings = new WeakMap<SkillEntry, readonly string[]>();
  private readonly unread = new Map<string, SkillEntry>();
  private reading: Promise<void> | null = null;
  private endFollowing: (() => void) | null = null;

  constructor(
    options: SkillwrightOptions,
    private readonly catalog: CatalogService,
  ) {
    this.rules = rulesOf(options.search);
    this.index = new SkillIndex(this.rules);
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
    if (this.endFollowing === null) await this.reading;
    const searchable = scope?.filter(isSearchable) ?? null;
    const foreign = searchable?.filter((entry) => !this.index.holds(entry)) ?? [];
    const index =
      foreign.length > 0 && searchable !== null && searchable.length <= MOST_FOREIGN
        ? this.indexOf(searchable)
        : this.index;
    return {
      ...index.search({ query, limit, scope: index === this.index ? searchable : null }),
      headingsPending: this.unread.size,
    };
  }

  /** Resolves when everything that can be found is in the index, headings too. */
  async whenIndexed(): Promise<void> {
    await this.catchUp();
    await this.reading;
  }

  private indexOf(entries: readonly SkillEntry[]): SkillIndex {
    const index = new SkillIndex(this.rules);
    for (const entry of entries) index.set(entry, this.headings.get(entry));
    return index;
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
      this.index.delete(slug);
      this.unread.delete(slug);
    }
    for (const [slug, entry] of wanted) {
      if (this.index.holds(entry)) continue;
      this.index.set(entry);
      this.unread.set(slug, entry);
      yield;
    }
    this.reached = snapshot;
    if (this.rules.weights.headings === 0) this.unread.clear();
    this.reading ??= runSlicedReads(() => this.readNext()).finally(() => {
      this.reading = null;
    });
  }

  /** @returns false when there is nothing left to read */
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

/** Lets the event loop turn after each few milliseconds of reading. */
async function runSlicedReads(next: () => Promise<boolean>): Promise<void> {
  let until = performance.now() + SLICE_MS;
  while (await next()) {
    if (performance.now() < until) continue;
    await new Promise((resume) => setImmediate(resume));
    until = performance.now() + SLICE_MS;
  }
}
