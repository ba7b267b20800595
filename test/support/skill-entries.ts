import { type CatalogSnapshot, type SkillEntry } from '../../src/skills/discovery/skill-entry.js';
import { type SkillFrontmatter } from '../../src/skills/format/skill-document.js';
import { pinOnDisk, type ResolutionView } from '../../src/workflow/resolve-ref.js';

const NOTHING_DECLARED: SkillFrontmatter = {
  name: null,
  slug: null,
  description: null,
  author: null,
  tags: null,
  license: null,
  compatibility: null,
  metadata: null,
  version: null,
  argumentHint: null,
  allowedTools: null,
  permissions: null,
  model: null,
  disableModelInvocation: false,
  userInvocable: null,
  effort: null,
  context: null,
  agent: null,
  deps: null,
  excludeDeps: null,
  requires: null,
};

type EntryFacts = Partial<Omit<SkillEntry, 'frontmatter'>> & {
  readonly slug: string;
  readonly frontmatter?: Partial<SkillFrontmatter>;
};

/** A usable skill of the workspace; say only what matters to the test. */
export function skillEntry({ frontmatter, ...facts }: EntryFacts): SkillEntry {
  const name = facts.name ?? facts.slug.split('/').at(-1) ?? facts.slug;
  const description = facts.description ?? `About ${name}.`;
  return {
    id: `id-of-${facts.slug}`,
    name,
    description,
    layer: 'workspace',
    source: 'workspace',
    origin: 'disk',
    version: 1,
    enabled: true,
    status: 'active',
    missingDeps: [],
    availability: 'available',
    shadowedBy: null,
    frontmatter: { ...NOTHING_DECLARED, name, description, ...frontmatter },
    findings: [],
    folderName: name,
    dir: `/somewhere/skills/${facts.slug}`,
    filePath: `skills/${facts.slug}/SKILL.md`,
    fileName: 'SKILL.md',
    stored: null,
    ...facts,
  };
}

/** A snapshot in which every given entry is the winner of its slug. */
export function snapshotOf(entries: readonly SkillEntry[], revision = 1): CatalogSnapshot {
  const sorted = [...entries].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const byName = new Map<string, SkillEntry[]>();
  for (const entry of sorted) byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  return {
    revision,
    entries: sorted,
    bySlug: new Map(sorted.map((entry) => [entry.slug, entry])),
    byName,
    byId: new Map(sorted.map((entry) => [entry.id, entry])),
    aliases: new Map(),
    deleted: new Map(),
    findings: [],
    takenAt: 0,
  };
}

/** The view that resolution has of these entries; digests are `sha256:` and the slug. */
export function viewOf(...entries: readonly SkillEntry[]): ResolutionView {
  const digestOf = (entry: SkillEntry): string => `sha256:${entry.slug}`;
  return {
    snapshot: snapshotOf(entries),
    digestOf,
    pin: (entry, target) => pinOnDisk(entry, target, digestOf(entry)),
  };
}
