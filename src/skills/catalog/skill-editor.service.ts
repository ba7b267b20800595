import { type Author } from '../../events/author.js';
import { type Change } from '../../events/change.store.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type SkillEntry, type StoredSkill } from '../discovery/skill-entry.js';
import { revokeDigest, setEnabled, setLabel, setVisibility } from '../store/skill-state.store.js';
import { contentOfVersion, type SkillVersion } from '../store/stored-skill.js';
import { type VersionRow } from '../store/skill.store.js';
import { commitVersions } from '../store/version-commit.store.js';
import { type CatalogService } from './catalog.service.js';
import { editedContent, type FileEdit } from './edited-content.service.js';
import { type StoredCatalog } from './stored-catalog.service.js';

/** The history of one skill, newest first, and what points into it. */
export interface SkillHistory {
  readonly versions: readonly VersionRow[];
  readonly current: number;
  /** Label -> version. */
  readonly labels: ReadonlyMap<string, number>;
  /** Digest -> why it was revoked. */
  readonly revoked: ReadonlyMap<string, string>;
}

/** What people change about stored skills. Every change is in the snapshot when its promise resolves. */
export class SkillEditor {
  constructor(private readonly catalog: CatalogService) {}

  /** @throws SkillwrightError `skill_protected` for a skill that is not stored, `db_unavailable` */
  async history(entry: SkillEntry): Promise<SkillHistory> {
    const { stored, skill } = await this.storedOf(entry);
    return {
      versions: await stored.versions.versions(skill.id),
      // Of the snapshot that everybody reads, so that two answers agree while a newer one is being made.
      current: entry.stored?.version ?? skill.version,
      labels: stored.skills.labelsOf(skill.id),
      revoked: stored.skills.revokedOf(skill.id),
    };
  }

  /** @throws SkillwrightError `version_not_found`, `skill_protected`, `db_unavailable` */
  async version(entry: SkillEntry, version: number): Promise<SkillVersion> {
    const { stored, skill } = await this.storedOf(entry);
    const found = await stored.versions.version(skill.id, version);
    if (found !== null) return found;
    throw new SkillwrightError('version_not_found', {
      slug: entry.slug,
      detail: `the skill "${entry.slug}" has no version ${version}; the newest is ${skill.version}`,
    });
  }

  /**
   * Switches a skill on or off for agents; people go on seeing it.
   *
   * @throws SkillwrightError `skill_protected`, `db_unavailable`
   */
  toggle(entry: SkillEntry, enabled: boolean, author: Author): Promise<SkillEntry> {
    const reason = author.message ?? `switched off by ${author.name}`;
    return this.change(entry, author, (change, skill) =>
      setEnabled(change, skill, enabled ? { enabled } : { enabled, reason }),
    );
  }

  /**
   * Makes an earlier version the newest again, as a version of its own; brings a deleted skill back.
   *
   * @throws SkillwrightError `version_not_found`, `skill_protected`, `skill_revoked`, `skill_exists`, `skill_changed`
   */
  async restore(entry: SkillEntry, version: number, author: Author): Promise<SkillEntry> {
    requireWorkspace(entry);
    const wanted = await this.version(entry, version);
    return this.change(entry, author, async (change, skill, stored) => {
      const reason = stored.skills.revokedOf(skill.id).get(wanted.digest);
      if (reason !== undefined) {
        throw new SkillwrightError('skill_revoked', {
          detail: `version ${version} was revoked: ${reason}`,
        });
      }
      const other = stored.skills.at(skill.layer, skill.slug);
      if (other !== undefined && other.id !== skill.id) throw taken(skill.slug);
      if (!skill.deleted && skill.digest === wanted.digest) return;
      const { id, layer, slug, deleted } = skill;
      const [result] = await commitVersions(change, [
        {
          layer,
          slug,
          expected: { id, version: skill.version, deleted },
          contents: [contentOfVersion(wanted, `skills/${slug}/SKILL.md`)],
          action: 'skill.restore',
        },
      ]);
      if (result?.kind !== 'committed') throw changed(slug);
    });
  }

  /**
   * Points a label at a version; null takes the label away.
   *
   * @throws SkillwrightError `version_not_found`, `label_not_found`, `skill_protected`
   */
  async label(entry: SkillEntry, label: string, version: number | null, author: Author): Promise<SkillEntry> {
    if (version !== null) await this.version(entry, version);
    return this.change(entry, author, async (change, skill) => {
      const { kind } = await setLabel(change, skill, label, version);
      if (kind === 'unchanged' && version === null) {
        const detail = `the skill "${skill.slug}" has no label "${label}"`;
        throw new SkillwrightError('label_not_found', { slug: skill.slug, label, detail });
      }
    });
  }

  /**
   * Takes bytes out of use for good: no step gets them any more, in whatever version they stand.
   *
   * @throws SkillwrightError `version_not_found`, `skill_protected`
   */
  async revoke(
    entry: SkillEntry,
    what: { readonly version: number } | { readonly digest: string },
    reason: string,
    author: Author,
  ): Promise<SkillEntry> {
    const { versions } = await this.history(entry);
    const wanted = versions.find((one) =>
      'digest' in what ? one.digest === what.digest : one.version === what.version,
    );
    if (wanted === undefined) {
      const detail = `no version of "${entry.slug}" is ${'digest' in what ? what.digest : what.version}`;
      throw new SkillwrightError('version_not_found', { slug: entry.slug, detail });
    }
    return this.change(entry, author, (change, skill) => revokeDigest(change, skill, wanted.digest, reason));
  }

  /**
   * Writes, replaces or removes files of a skill, as one version.
   *
   * @param edits by path in the skill; null removes
   * @param ifMatch digest that the editor saw; null: whatever is current
   * @throws SkillwrightError `version_conflict`, `skill_changed`, and whatever {@link editedContent} refuses
   */
  async edit(
    entry: SkillEntry,
    edits: (main: Buffer) => ReadonlyMap<string, FileEdit>,
    ifMatch: string | null,
    author: Author,
  ): Promise<SkillEntry> {
    requireWorkspace(entry);
    // What lies on disk and is not stored yet is part of what is edited.
    await this.catalog.refresh();
    const { stored, skill } = await this.storedOf(entry);
    if (ifMatch !== null && ifMatch !== skill.digest) throw conflict(skill);
    const base = await this.version(entry, skill.version);
    const mainBytes = await stored.blobs.read(base.fileHash);
    const { limits } = this.catalog.options;
    const content = editedContent({ slug: skill.slug, base, edits: edits(mainBytes), mainBytes, limits });
    if (content.digest === skill.digest) return entry;
    await stored.blobs.put(content.bytes);
    return this.change(entry, author, async (change) => {
      const { id, layer, slug, version, deleted } = skill;
      const expected = { id, version, deleted };
      const [result] = await commitVersions(change, [
        { layer, slug, expected, contents: [content], action: 'skill.update' },
      ]);
      if (result?.kind !== 'committed') throw ifMatch === null ? changed(slug) : conflict(skill);
    });
  }

  /** Who may see a skill. @throws SkillwrightError `skill_protected` */
  setVisibility(
    entry: SkillEntry,
    visibility: StoredSkill['visibility'],
    author: Author,
  ): Promise<SkillEntry> {
    if (entry.layer !== 'workspace') throw protectedSkill(entry, 'system skills are public');
    return this.change(entry, author, (change, skill) => setVisibility(change, skill, visibility));
  }

  /**
   * Changes a skill of the workspace, and what belongs to it, in one transaction.
   *
   * @param work answers `conflict` when it did not find the skill as it was given; then nothing is changed
   * @throws SkillwrightError `skill_protected`, `skill_changed`, `db_unavailable`, and what `work` throws
   */
  async changeInWorkspace(
    entry: SkillEntry,
    author: Author,
    work: (change: Change, skill: StoredSkill) => Promise<'done' | 'conflict'>,
  ): Promise<SkillEntry> {
    requireWorkspace(entry);
    // An edit on disk that nobody stored yet would come back as another skill.
    await this.catalog.refresh();
    return this.change(entry, author, async (change, skill) => {
      if ((await work(change, skill)) === 'conflict') throw changed(skill.slug);
    });
  }

  private async change(
    entry: SkillEntry,
    author: Author,
    /** Only through `change`: a query from elsewhere would wait for this very transaction. */
    work: (change: Change, skill: StoredSkill, stored: StoredCatalog) => Promise<unknown>,
  ): Promise<SkillEntry> {
    const { stored, skill } = await this.storedOf(entry);
    await stored.changes.run(author, (change) => work(change, skill, stored));
    await this.catalog.catchUp();
    const { byId, deleted } = this.catalog.snapshot();
    return byId.get(skill.id) ?? deleted.get(skill.slug) ?? entry;
  }

  /** The row as it is now. A skill that was found a moment ago is stored first. */
  private async storedOf(entry: SkillEntry): Promise<{ stored: StoredCatalog; skill: StoredSkill }> {
    const { stored } = this.catalog;
    if (stored === null || entry.layer === 'builtin') throw protectedSkill(entry, 'it is served from code');
    if (entry.stored === null) await this.catalog.refresh();
    const { id } = entry.stored ?? stored.skills.at(entry.layer, entry.slug) ?? { id: null };
    const skill = id === null ? undefined : stored.skills.get(id);
    if (skill === undefined) throw protectedSkill(entry, 'it never became a version; its findings say why');
    return { stored, skill };
  }
}

/** Everything else than the workspace is only read: an edit would be undone by the next look at the folder. */
function requireWorkspace(entry: SkillEntry): void {
  if (entry.layer === 'workspace') return;
  throw protectedSkill(entry, 'its folder is only read; fork it into the workspace to change it', 'fork');
}

function protectedSkill({ slug }: SkillEntry, because: string, hint?: string): SkillwrightError {
  const detail = `the skill "${slug}" cannot be changed: ${because}`;
  return new SkillwrightError('skill_protected', { slug, detail, ...(hint !== undefined && { hint }) });
}

function conflict({ slug, digest, version }: StoredSkill): SkillwrightError {
  return new SkillwrightError('version_conflict', {
    slug,
    digest,
    version,
    detail: `the skill "${slug}" is at version ${version} by now; look at it again before you change it`,
  });
}

function taken(slug: string): SkillwrightError {
  return new SkillwrightError('skill_exists', {
    slug,
    detail: `another skill has the slug "${slug}" by now`,
  });
}

function changed(slug: string): SkillwrightError {
  return new SkillwrightError('skill_changed', {
    slug,
    detail: `the skill "${slug}" was changed at the same moment; look at it again and repeat`,
  });
}
