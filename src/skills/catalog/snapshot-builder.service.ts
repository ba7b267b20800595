import { type Finding, finding } from '../../kernel/finding.js';
import { type CatalogScanner } from '../discovery/catalog-scan.service.js';
import { type CatalogScan } from '../discovery/location-scan.js';
import { entryFromHead } from '../discovery/found-skill.js';
import { mergeSkills } from '../discovery/merge.js';
import {
  type CatalogSnapshot,
  type SkillEntry,
  type SkillLocation,
  type StoredSkill,
} from '../discovery/skill-entry.js';
import { type StoredNotes, withStored } from '../discovery/stored-entry.js';
import { NOTHING_DECLARED } from '../format/field-setters.js';
import { type SkillHead } from '../format/skill-document.js';
import { type StoredHeads } from '../store/stored-heads.service.js';
import { hasLeftBundle } from '../store/stored-skill.js';
import { placeKey, type StoredSkills } from '../store/stored-skills.service.js';
import { type DiskFacts } from '../sync/disk-facts.service.js';

/** The stored side of a snapshot. */
export interface StoredSide {
  readonly skills: StoredSkills;
  readonly heads: StoredHeads;
  readonly facts: DiskFacts;
  /** Layer -> why its folder is taken for lost. */
  vanished(): ReadonlyMap<string, string>;
  /** What is to be said about folders that were written or could not be, by layer and slug. */
  remarks(): ReadonlyMap<string, Finding>;
}

export type BuiltSnapshot = Omit<CatalogSnapshot, 'revision' | 'takenAt'> & {
  /** Entry of the snapshot -> the same skill as it was found; contents on disk are kept by it. */
  readonly foundAs: ReadonlyMap<SkillEntry, SkillEntry>;
};

const NO_HEAD: SkillHead = {
  frontmatter: NOTHING_DECLARED,
  keys: null,
  findings: [],
  valid: false,
  bodyOffset: 0,
};

/** Puts what the disk has and what is stored together: one entry for each skill, one winner for each slug. */
export class SnapshotBuilder {
  /** The entry made before from the same two objects: snapshots share what did not change. */
  private readonly made = new WeakMap<
    SkillEntry,
    { stored: StoredSkill; notes: string; entry: SkillEntry }
  >();

  constructor(
    private readonly scanner: CatalogScanner,
    private readonly stored: StoredSide | null,
  ) {}

  build(scan: CatalogScan): BuiltSnapshot {
    const foundAs = new Map<SkillEntry, SkillEntry>();
    const entries = this.stored === null ? foundEntries(scan) : this.joined(scan, this.stored);
    const merged = mergeSkills(entries, this.scanner.builtins, this.scanner.identity);
    for (const [entry, found] of merged.foundAs) foundAs.set(entry, found);
    const findings = [
      ...scan.findings,
      ...scan.scans.flatMap((location) => location.findings),
      ...this.vanished(),
    ];
    const { bySlug, byId } = merged;
    return {
      ...merged,
      aliases: this.aliases(bySlug, byId),
      deleted: this.deleted(bySlug),
      findings,
      foundAs,
    };
  }

  /** The stored skills whose SKILL.md has to be read from the store, since none on disk has the same bytes. */
  needed(scan: CatalogScan): StoredSkill[] {
    const { stored } = this;
    if (stored === null) return [];
    const onDisk = new Set<string>();
    for (const { skills } of scan.scans) {
      for (const { entry } of skills.values()) {
        const skill = stored.skills.at(entry.layer, entry.slug);
        if (skill !== undefined && isInStep(stored, entry, skill)) onDisk.add(skill.id);
      }
    }
    const layers = new Set<string>(this.scanner.locations().map(({ layer }) => layer));
    const wanted: StoredSkill[] = [];
    for (const skill of stored.skills.live()) {
      if (layers.has(skill.layer) && !onDisk.has(skill.id)) wanted.push(skill);
    }
    for (const skill of stored.skills.deleted()) if (layers.has(skill.layer)) wanted.push(skill);
    return wanted;
  }

  private joined(scan: CatalogScan, stored: StoredSide): SkillEntry[] {
    const byLayer = new Map<string, StoredSkill[]>();
    for (const skill of stored.skills.live()) {
      const list = byLayer.get(skill.layer);
      if (list === undefined) byLayer.set(skill.layer, [skill]);
      else list.push(skill);
    }
    return this.scanner.locations().flatMap((location) => {
      const found = scan.scans.find((one) => one.location.dir === location.dir)?.skills.values() ?? [];
      const seen = new Set<string>();
      const entries: SkillEntry[] = [];
      for (const { entry } of found) {
        // A second spelling of a slug has no row of its own.
        const skill = seen.has(entry.slug) ? undefined : stored.skills.at(location.layer, entry.slug);
        seen.add(entry.slug);
        entries.push(this.join(stored, location, entry, skill));
      }
      for (const skill of byLayer.get(location.layer) ?? []) {
        if (!seen.has(skill.slug)) entries.push(this.fromStore(stored, location, skill, []));
      }
      return entries;
    });
  }

  private join(
    stored: StoredSide,
    location: SkillLocation,
    entry: SkillEntry,
    skill: StoredSkill | undefined,
  ): SkillEntry {
    const refused = stored.facts.get(placeKey(entry.layer, entry.slug))?.refused ?? [];
    if (skill === undefined) return refused.length === 0 ? entry : invalid(entry, refused);
    if (isInStep(stored, entry, skill)) return this.withRow(entry, skill, []);
    const problems = entry.version === 0 ? entry.findings : refused;
    const notes = problems.some(({ severity }) => severity === 'error')
      ? [...problems, finding('last_good_kept', { path: entry.filePath })]
      : [];
    return this.fromStore(stored, location, skill, notes);
  }

  private fromStore(
    stored: StoredSide,
    location: SkillLocation,
    skill: StoredSkill,
    notes: readonly Finding[],
  ): SkillEntry {
    const { slug } = skill;
    const place = { location, folder: slug, dir: `${location.dir}/${slug}`, fileName: 'SKILL.md', slug };
    const head = stored.heads.of(skill) ?? NO_HEAD;
    const entry = entryFromHead({ ...place, canonical: true }, head, this.scanner.identity);
    return this.withRow({ ...entry, slug }, skill, notes);
  }

  private withRow(entry: SkillEntry, skill: StoredSkill, remarks: readonly Finding[]): SkillEntry {
    const remark = this.stored?.remarks().get(placeKey(skill.layer, skill.slug));
    const left = hasLeftBundle(skill) ? finding('bundle_left', { path: entry.filePath }) : undefined;
    const notes: StoredNotes = {
      revoked: this.stored?.skills.revokedOf(skill.id).has(skill.digest) ?? false,
      findings: [...remarks, remark, left].filter((one) => one !== undefined),
    };
    const text = notes.revoked || notes.findings.length > 0 ? JSON.stringify(notes) : '';
    const before = this.made.get(entry);
    if (before?.stored === skill && before.notes === text) return before.entry;
    const made = withStored(entry, skill, notes);
    this.made.set(entry, { stored: skill, notes: text, entry: made });
    return made;
  }

  private aliases(
    bySlug: ReadonlyMap<string, SkillEntry>,
    byId: ReadonlyMap<string, SkillEntry>,
  ): Map<string, SkillEntry> {
    const aliases = new Map<string, SkillEntry>();
    for (const [slug, id] of this.stored?.skills.aliases() ?? []) {
      const entry = byId.get(id);
      if (entry?.shadowedBy === null && !bySlug.has(slug)) aliases.set(slug, entry);
    }
    return aliases;
  }

  private deleted(bySlug: ReadonlyMap<string, SkillEntry>): Map<string, SkillEntry> {
    const deleted = new Map<string, SkillEntry>();
    const { stored } = this;
    if (stored === null) return deleted;
    for (const location of this.scanner.locations()) {
      for (const skill of stored.skills.deleted()) {
        if (skill.layer !== location.layer || bySlug.has(skill.slug) || deleted.has(skill.slug)) continue;
        deleted.set(skill.slug, this.fromStore(stored, location, skill, []));
      }
    }
    return deleted;
  }

  private vanished(): Finding[] {
    const vanished = this.stored?.vanished() ?? new Map<string, string>();
    const shown = new Map<string, string>(
      this.scanner.locations().map(({ layer, shownAs }) => [layer, shownAs]),
    );
    return [...vanished].map(([layer, because]) =>
      finding('location_vanished', { path: shown.get(layer) ?? layer, hint: because }),
    );
  }
}

/** Whether the bytes on disk are those of the row, so that what the disk says is what is stored. */
function isInStep({ facts }: StoredSide, entry: SkillEntry, skill: StoredSkill): boolean {
  const fact = facts.get(placeKey(entry.layer, entry.slug));
  return fact?.entry === entry && fact.digest === skill.digest;
}

function invalid(entry: SkillEntry, refused: readonly Finding[]): SkillEntry {
  return { ...entry, version: 0, availability: 'invalid', findings: [...entry.findings, ...refused] };
}

function foundEntries(scan: CatalogScan): SkillEntry[] {
  return scan.scans.flatMap(({ skills }) => Array.from(skills.values(), ({ entry }) => entry));
}
