import { finding, type Finding } from '../kernel/finding.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { estimateSkillTokens, estimateTokens, type TokenCounter } from '../skills/format/tokens.js';
import { oneLine, visibleText } from '../skills/format/visible-text.js';
import { LISTING_FORMATS, type ListedSkill, type ListingFormat } from './listing-formats.js';
import { skillFacts } from './skill-facts.js';

/** How a listing is written and how large it may be; the options group `listing` holds these. */
export interface ListingRules {
  readonly format: ListingFormat;
  readonly maxCount: number;
  readonly maxTokens: number;
  readonly overBudget: 'search' | 'shrink';
}

export interface ListingUse {
  /** A person chose these skills for a step, so they are named whatever the budget says. */
  readonly selected: boolean;
  /** Counts what is really written; without it the estimate per skill is used. */
  readonly countTokens?: TokenCounter | undefined;
}

/** What a listing left out, so that nothing is missing silently. */
export interface ListingCut {
  readonly what: 'description_shortened' | 'description_dropped' | 'skill_omitted';
  readonly count: number;
  /** The first of them, at most 50. */
  readonly slugs: readonly string[];
}

/** The prompt text that names the skills, and how it came about. */
export interface Listing {
  /** `none`: nothing to offer, so no text and no tool. `search`: too many, the text points at the search tool. */
  readonly mode: 'none' | 'inline' | 'search';
  readonly format: ListingFormat;
  readonly text: string;
  readonly tokens: number;
  /** Skills that are offered, whether the text names them or not. */
  readonly count: number;
  readonly cut: readonly ListingCut[];
  readonly warnings: readonly Finding[];
}

type Level = 'full' | 'short' | 'names';

/** Characters of a description at each level; one skill must not crowd out the others. */
const DESCRIPTION_LENGTH: Readonly<Record<Level, number>> = { full: 1024, short: 160, names: 0 };
const SLUGS_NAMED = 50;

interface Rendered {
  readonly text: string;
  readonly estimate: number;
  readonly shortened: boolean;
  counted: { readonly by: TokenCounter; readonly tokens: number } | null;
}

/**
 * Names the skills for a prompt, sorted, so that equal skills give equal bytes. Skills that are hidden from the
 * model are left out. Above the budget the search tool or shorter entries take the place of a list of all.
 *
 * @example renderListing(entries, options.listing, { selected: true }).text
 */
export function renderListing(entries: readonly SkillEntry[], rules: ListingRules, use: ListingUse): Listing {
  const offered = entries.filter(isOffered);
  const { format } = rules;
  if (offered.length === 0) {
    return { mode: 'none', format, text: '', tokens: 0, count: 0, cut: [], warnings: [] };
  }
  const tooMany = offered.length > rules.maxCount;
  if (tooMany && !use.selected) return searchInstead(offered, rules, use);

  const { key } = LISTING_FORMATS[format];
  const sorted = offered.sort((a, b) => compare(a[key], b[key]) || compare(a.slug, b.slug));
  const levels: readonly Level[] = rules.overBudget === 'shrink' ? ['full', 'short', 'names'] : ['full'];
  let listing: Listing | null = null;
  for (const level of levels) {
    listing = inline(sorted, rules, level, use);
    if (listing.tokens <= rules.maxTokens) return tooMany ? overBudget(listing, rules) : listing;
  }
  return use.selected && listing ? overBudget(listing, rules) : searchInstead(offered, rules, use);
}

/** Resolution has judged availability already; a caller that renders a whole catalogue has not. */
function isOffered({ availability, frontmatter }: SkillEntry): boolean {
  return (availability === 'available' || availability === 'degraded') && !frontmatter.disableModelInvocation;
}

function inline(
  entries: readonly SkillEntry[],
  { format }: ListingRules,
  level: Level,
  { countTokens }: ListingUse,
): Listing {
  const { head, between, tail } = LISTING_FORMATS[format];
  const rendered = renderedAs(format, level);
  const lines: string[] = [];
  const cut: SkillEntry[] = [];
  let tokens = 0;
  for (const entry of entries) {
    let one = rendered.get(entry);
    if (!one) rendered.set(entry, (one = render(entry, format, level)));
    lines.push(one.text);
    tokens += tokensOf(one, countTokens);
    if (one.shortened) cut.push(entry);
  }
  return {
    mode: 'inline',
    format,
    text: head + lines.join(between) + tail,
    tokens,
    count: entries.length,
    cut: report(level === 'names' ? 'description_dropped' : 'description_shortened', cut),
    warnings: [],
  };
}

function searchInstead(entries: readonly SkillEntry[], rules: ListingRules, use: ListingUse): Listing {
  const text =
    `${entries.length} skills are available; they are too many to be listed here. Call the skill_search tool ` +
    'with a few words about the task, then load what fits with the skill tool.\n';
  return {
    mode: 'search',
    format: rules.format,
    text,
    tokens: (use.countTokens ?? estimateTokens)(text),
    count: entries.length,
    cut: report('skill_omitted', entries),
    warnings: [],
  };
}

function overBudget(listing: Listing, rules: ListingRules): Listing {
  const message =
    `the listing has ${listing.count} skills and ${listing.tokens} tokens; ` +
    `the budget is ${rules.maxCount} skills and ${rules.maxTokens} tokens`;
  return { ...listing, warnings: [finding('listing_over_budget', { message })] };
}

function report(what: ListingCut['what'], entries: readonly SkillEntry[]): ListingCut[] {
  if (entries.length === 0) return [];
  return [{ what, count: entries.length, slugs: entries.slice(0, SLUGS_NAMED).map(({ slug }) => slug) }];
}

function tokensOf(rendered: Rendered, count: TokenCounter | undefined): number {
  if (!count) return rendered.estimate;
  if (rendered.counted?.by !== count) rendered.counted = { by: count, tokens: count(rendered.text) };
  return rendered.counted.tokens;
}

// Entries are immutable: each is rendered once per format and level for as long as it lives.
const known = new Map<string, WeakMap<SkillEntry, Rendered>>();

function renderedAs(format: ListingFormat, level: Level): WeakMap<SkillEntry, Rendered> {
  const kind = `${format} ${level}`;
  let rendered = known.get(kind);
  if (!rendered) known.set(kind, (rendered = new WeakMap<SkillEntry, Rendered>()));
  return rendered;
}

function render(entry: SkillEntry, format: ListingFormat, level: Level): Rendered {
  const whole = clean(entry.description);
  const description = shorten(whole, DESCRIPTION_LENGTH[level]);
  const name = clean(entry.name);
  const { warning } = skillFacts(entry);
  const listed: ListedSkill = {
    name,
    slug: clean(entry.slug),
    description,
    location: entry.layer === 'builtin' ? 'builtin' : clean(entry.filePath),
    warning: warning === null ? null : clean(warning),
  };
  return {
    text: LISTING_FORMATS[format].entry(listed),
    estimate: estimateSkillTokens(name, description),
    shortened: description !== whole,
    counted: null,
  };
}

function clean(text: string): string {
  return oneLine(visibleText(text));
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text);
  if (points.length <= length) return text;
  return length === 0 ? '' : `${points.slice(0, length - 1).join('')}…`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
