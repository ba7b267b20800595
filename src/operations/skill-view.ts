import { type SkillEntry, type SkillFile } from '../skills/discovery/skill-entry.js';

/** A row for people; snake_case as on the wire. */
export function skillRow(entry: SkillEntry, usedByCount: number) {
  const { frontmatter } = entry;
  return {
    id: entry.id,
    slug: entry.slug,
    name: entry.name,
    description: entry.description,
    version: entry.version,
    digest: entry.stored?.digest ?? null,
    is_system: entry.layer === 'bundled' || entry.layer === 'builtin',
    builtin: entry.layer === 'builtin',
    status: entry.status,
    enabled: entry.enabled,
    disabled_reason: entry.stored?.disabledBy?.reason ?? null,
    availability: entry.availability,
    visibility: visibilityOf(entry),
    layer: entry.layer.startsWith('path:') ? 'path' : entry.layer,
    source: entry.source,
    origin: entry.origin,
    author: frontmatter.author,
    tags: [...(frontmatter.tags ?? [])],
    file_path: entry.filePath,
    shadowed_by: entry.shadowedBy,
    disable_model_invocation: frontmatter.disableModelInvocation,
    user_invocable: frontmatter.userInvocable,
    missing_deps: [...entry.missingDeps],
    updated_at: entry.stored?.updatedAt ?? null,
    findings_count: entry.findings.length,
    used_by_count: usedByCount,
  };
}

function visibilityOf({ layer, stored }: SkillEntry): 'private' | 'internal' | 'public' {
  if (stored !== null) return stored.visibility;
  return layer === 'bundled' || layer === 'builtin' ? 'public' : 'internal';
}

/** True when a person should look: not available, or with a warning or error. */
export function needsAttention(entry: SkillEntry): boolean {
  return entry.availability !== 'available' || entry.findings.some(({ severity }) => severity !== 'info');
}

export interface SkillFilter {
  readonly query?: string | undefined;
  readonly status?: 'active' | 'archived' | undefined;
  readonly enabled?: boolean | undefined;
  readonly origin?: string | undefined;
  readonly tag?: string | undefined;
  readonly attention?: boolean | undefined;
}

/** Keeps the entries that a person asked for; `query` is looked for in slug, name, description, author and tags. */
export function filterSkills(entries: readonly SkillEntry[], filter: SkillFilter): readonly SkillEntry[] {
  const query = filter.query?.normalize('NFC').trim().toLowerCase() ?? '';
  const wanted: ((entry: SkillEntry) => boolean)[] = [];
  if (query !== '') wanted.push((entry) => searchText(entry).includes(query));
  if (filter.status !== undefined) wanted.push((entry) => entry.status === filter.status);
  if (filter.enabled !== undefined) wanted.push((entry) => entry.enabled === filter.enabled);
  if (filter.origin !== undefined) wanted.push((entry) => entry.origin === filter.origin);
  const { tag, attention } = filter;
  if (tag !== undefined) wanted.push((entry) => entry.frontmatter.tags?.includes(tag) ?? false);
  if (attention !== undefined) wanted.push((entry) => needsAttention(entry) === attention);
  return wanted.length === 0 ? entries : entries.filter((entry) => wanted.every((test) => test(entry)));
}

function searchText({ slug, name, description, frontmatter }: SkillEntry): string {
  const parts = [slug, name, description, frontmatter.author ?? '', ...(frontmatter.tags ?? [])];
  return parts.join('\n').toLowerCase();
}

/** A line of a skill's file tree. */
export function fileRow(file: SkillFile) {
  return {
    path: file.path,
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    size: file.size,
    sha256: file.sha256,
    mode: file.mode,
    kind: file.path === 'SKILL.md' ? ('skill' as const) : file.kind,
  };
}
