import { type Author, systemAuthor } from '../../events/author.js';
import { type Change, type ChangeStore } from '../../events/change.store.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { runSliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type Layer, type SkillFile, type StoredSkill } from '../discovery/skill-entry.js';
import { type SkillSource } from '../discovery/skill-walk.service.js';
import { type BlobStore } from '../store/blob.store.js';
import { type CommitResult } from '../store/commit-request.js';
import { deleteSkill, setEnabled, undeleteSkill } from '../store/skill-state.store.js';
import { type SkillStore } from '../store/skill.store.js';
import { contentOfVersion, type NewContent } from '../store/stored-skill.js';
import { type StoredSkills } from '../store/stored-skills.service.js';
import { commitVersions } from '../store/version-commit.store.js';
import { type JournalEntry, type OpenWrite } from '../store/workspace.store.js';
import { fingerprintFolder } from './folder-fingerprint.service.js';
import { type SyncJournal } from './sync-journal.service.js';
import { type SyncAction, type SyncPlace } from './sync-plan.js';
import { type CopyOutcome, type WorkingCopy } from './working-copy.service.js';

/** Who stands in the history for what the sync does by itself. */
export const DISK_AUTHOR = systemAuthor('disk', 'edit on disk');
export const SEED_AUTHOR = systemAuthor('seed', 'bundled skills');

export type Commit = Extract<SyncAction, { kind: 'commit' }>;

/** Bytes of one folder that are to become a version. */
export interface DiskCommit {
  readonly place: SyncPlace;
  readonly layer: Layer;
  readonly slug: string;
  /** The row as it was planned with. */
  readonly stored: StoredSkill | undefined;
  readonly action: Commit;
  readonly content: NewContent;
  readonly fingerprint: string | null;
}

/** Where a working copy lies. */
export interface CopyPlace {
  /** The skills folder, absolute. */
  readonly root: string;
  /** Below it, in the on-disk spelling. */
  readonly folder: string;
}

export interface ActionParts {
  readonly files: WorkspaceFiles;
  readonly changes: ChangeStore;
  readonly blobs: BlobStore;
  readonly skills: SkillStore;
  readonly stored: StoredSkills;
  readonly copies: WorkingCopy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Carries out what the plan says: each change of the catalogue is one transaction, with the base that follows. */
export class SyncActions {
  constructor(
    private readonly parts: ActionParts,
    private readonly journal: SyncJournal,
  ) {}

  /** Makes versions of many folders at once. @returns how many found their skill changed meanwhile */
  async commit(commits: readonly DiskCommit[]): Promise<number> {
    const [first] = commits;
    if (first === undefined) return 0;
    await this.parts.blobs.put(commits.flatMap(({ content }) => [...content.bytes]));
    const contents: (readonly NewContent[])[] = [];
    for (const commit of commits) contents.push(await this.contentsOf(commit));
    const author = first.place === 'bundle' ? SEED_AUTHOR : DISK_AUTHOR;
    const { value } = await this.parts.changes.run(author, async (change) => {
      if (first.place === 'bundle') await lockSeeding(change);
      const results = await commitVersions(
        change,
        commits.map(({ layer, slug, stored, action }, at) => ({
          layer,
          slug,
          expected:
            stored === undefined ? null : { id: stored.id, version: stored.version, deleted: stored.deleted },
          contents: contents[at] ?? [],
          action: stored === undefined ? 'skill.create' : action.revive ? 'skill.undelete' : 'skill.update',
        })),
      );
      for (const [at, result] of results.entries()) await reviveBundled(change, commits[at], result);
      return { results, applied: await this.noteCommitted(change, commits, results) };
    });
    value.applied();
    await this.parts.stored.refresh();
    return value.results.filter(({ kind }) => kind === 'conflict').length;
  }

  /** Brings back a row as it was, since its folder is back as it was. */
  async revive(place: SyncPlace, skill: StoredSkill, fingerprint: string | null): Promise<void> {
    await this.change(place === 'bundle' ? SEED_AUTHOR : DISK_AUTHOR, async (change) => {
      if (place === 'bundle') await setEnabled(change, skill, { enabled: true });
      else await undeleteSkill(change, skill);
      return this.journal.save(change, { set: [itemOf(skill, skill.digest, fingerprint)] });
    });
  }

  /** A person removed the folder. */
  async delete(skill: StoredSkill): Promise<void> {
    await this.change(DISK_AUTHOR, async (change) => {
      await deleteSkill(change, skill);
      return this.journal.save(change, { forget: [itemOf(skill, skill.digest, null)] });
    });
  }

  /** A new release of the bundle has the skill no more. */
  async disable(skill: StoredSkill): Promise<void> {
    await this.change(SEED_AUTHOR, async (change) => {
      await setEnabled(change, skill, { enabled: false, reason: 'it is no longer part of the bundle' });
      return this.journal.save(change, { forget: [itemOf(skill, skill.digest, null)] });
    });
  }

  /** Opens a write, so that from now on its folder is not read as somebody's edit. */
  async begin(write: OpenWrite): Promise<void> {
    await this.change(DISK_AUTHOR, (change) => this.journal.save(change, { open: [write] }));
  }

  /** Brings the folder to what an open write says, and closes it. */
  async write(place: CopyPlace, { slug, from, to }: OpenWrite): Promise<CopyOutcome> {
    const { copies, blobs } = this.parts;
    const before = from === null ? null : await this.manifest(from);
    const after = to === null ? null : await this.manifest(to);
    const outcome =
      after === null
        ? await copies.remove(place.root, place.folder, before ?? [])
        : await copies.write(place.root, place.folder, {
            from: before,
            to: after,
            bytesOf: (sha256) => blobs.read(sha256),
          });
    if (outcome.kind !== 'done') return outcome;
    const item = { kind: 'skill', layer: 'workspace', slug } as const;
    const { files, now } = this.parts;
    const seen = to === null ? null : await runSliced(fingerprintFolder(files, this.source(place), now()));
    const fingerprint = seen?.settled === true ? seen.fingerprint : null;
    await this.change(DISK_AUTHOR, (change) =>
      this.journal.save(change, {
        close: [item],
        ...(to === null ? { forget: [item] } : { set: [{ ...item, digest: to, fingerprint }] }),
      }),
    );
    return outcome;
  }

  /**
   * Keeps bytes that somebody wrote into a folder while it was being written: as a version of their own, below what
   * the catalogue has. The write then goes on from them.
   *
   * @throws SkillwrightError `skill_changed` when the skill is not as it was planned with
   */
  async keepFirst(skill: StoredSkill, found: NewContent, write: OpenWrite, code: FindingCode): Promise<void> {
    await this.parts.blobs.put(found.bytes);
    const current = await this.contentOf(skill);
    await this.change(DISK_AUTHOR, async (change) => {
      const { id, layer, slug, version, deleted } = skill;
      const expected = { id, version, deleted };
      const contents = [withFinding(found, code), current];
      const request = { layer, slug, expected, contents, action: 'skill.update' };
      const [result] = found.digest === skill.digest ? [] : await commitVersions(change, [request]);
      // Rolls back: the write must not go on over bytes that were not kept.
      if (result?.kind === 'conflict') throw new SkillwrightError('skill_changed', { slug });
      return this.journal.save(change, { close: [write], open: [{ ...write, from: found.digest }] });
    });
    await this.parts.stored.refresh();
  }

  /** Writes down what the workspace holds; the catalogue does not change. */
  async note(entry: Pick<JournalEntry, 'set' | 'forget'>): Promise<void> {
    await this.change(DISK_AUTHOR, (change) => this.journal.save(change, entry));
  }

  /** Closes a write that cannot go on; the folder then counts as edited. */
  async giveUp(write: OpenWrite): Promise<void> {
    await this.change(DISK_AUTHOR, (change) => this.journal.save(change, { close: [write] }));
  }

  source({ root, folder }: CopyPlace): SkillSource {
    return { dir: `${root}/${folder}`, sharedDir: null, trusted: false };
  }

  /** @throws Error for a digest that no version has: a broken store */
  async manifest(digest: string): Promise<readonly SkillFile[]> {
    const manifest = await this.parts.skills.manifest(digest);
    if (manifest === null) throw new Error(`no stored version has the digest ${digest}`);
    return manifest;
  }

  private async contentsOf({ action, content, stored }: DiskCommit): Promise<readonly NewContent[]> {
    const kept = action.finding === null ? content : withFinding(content, action.finding);
    return action.thenRestore === null || stored === undefined
      ? [kept]
      : [kept, await this.contentOf(stored)];
  }

  private async contentOf(skill: StoredSkill): Promise<NewContent> {
    const version = await this.parts.skills.version(skill.id, skill.version);
    if (version === null) throw new Error(`version ${skill.version} of ${skill.slug} is not stored`);
    return contentOfVersion(version, `skills/${skill.slug}/SKILL.md`);
  }

  private noteCommitted(
    change: Change,
    commits: readonly DiskCommit[],
    results: readonly CommitResult[],
  ): Promise<() => void> {
    const done = commits.filter((_, at) => results[at]?.kind === 'committed');
    return this.journal.save(change, {
      set: done.map(({ content, fingerprint, layer, slug }) =>
        itemOf({ layer, slug }, content.digest, fingerprint),
      ),
      open: done.flatMap(({ action, slug }) =>
        action.thenRestore === null
          ? []
          : [{ kind: 'skill' as const, slug, from: action.digest, to: action.thenRestore }],
      ),
    });
  }

  private async change(author: Author, work: (change: Change) => Promise<() => void>): Promise<void> {
    const { value: applied, revision } = await this.parts.changes.run(author, work);
    applied();
    if (revision !== null) await this.parts.stored.refresh();
  }
}

/** One replica seeds at a time; the others then find the same bytes and have nothing to do. */
async function lockSeeding(change: Change): Promise<void> {
  await change.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `seed:${change.table('skills')}`,
  ]);
}

async function reviveBundled(
  change: Change,
  commit: DiskCommit | undefined,
  result: CommitResult,
): Promise<void> {
  if (commit?.place !== 'bundle' || commit.stored === undefined) return;
  if (commit.action.revive && result.kind === 'committed') {
    await setEnabled(change, { ...commit.stored, version: result.version }, { enabled: true });
  }
}

function itemOf(
  { layer, slug }: Pick<StoredSkill, 'layer' | 'slug'>,
  digest: string,
  fingerprint: string | null,
) {
  return { kind: 'skill' as const, layer, slug, digest, fingerprint };
}

function withFinding(content: NewContent, code: FindingCode): NewContent {
  return { ...content, findings: [...content.findings, finding(code, { path: content.filePath })] };
}
