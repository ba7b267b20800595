import { type SkillRefTarget } from '../../kernel/slug.js';
import { type RejectionCode } from '../../kernel/resolution-codes.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { withStored } from '../discovery/stored-entry.js';
import { type StoredHeads } from '../store/stored-heads.service.js';
import { type SkillStore } from '../store/skill.store.js';
import { type SkillVersion } from '../store/stored-skill.js';
import { type StoredSkills } from '../store/stored-skills.service.js';

/** What a reference to a version came to. */
export type Pin =
  | { readonly kind: 'found'; readonly entry: SkillEntry }
  | { readonly kind: 'missing'; readonly code: RejectionCode; readonly text: string };

type Target = Exclude<SkillRefTarget, { kind: 'current' }>;

const MAX_KEPT = 1000;

/** Skills at another version than the current one. Versions never change, so what was read once is kept. */
export class PinnedVersions {
  private readonly kept = new Map<string, SkillEntry>();

  constructor(
    private readonly skills: StoredSkills,
    private readonly store: SkillStore,
    private readonly heads: StoredHeads,
  ) {}

  /** What is known without asking the database; undefined when it has to be asked. */
  known(entry: SkillEntry, target: Target): Pin | undefined {
    const wanted = this.numberOrDigest(entry, target);
    if (typeof wanted === 'object') return wanted;
    if (wanted === entry.version || wanted === entry.stored?.digest) return this.judge(entry, entry);
    const kept = this.kept.get(`${entry.id}@${wanted}`);
    return kept === undefined ? undefined : this.judge(entry, kept);
  }

  /** @throws SkillwrightError `db_unavailable` */
  async load(entry: SkillEntry, target: Target): Promise<Pin> {
    const known = this.known(entry, target);
    if (known !== undefined) return known;
    const wanted = this.numberOrDigest(entry, target);
    if (typeof wanted === 'object') return wanted;
    const version =
      typeof wanted === 'number'
        ? await this.store.version(entry.id, wanted)
        : await this.store.versionByDigest(entry.id, wanted);
    if (version === null) {
      const what = typeof wanted === 'number' ? `version ${wanted}` : 'version with this digest';
      const text = `the skill has no ${what}; the newest is ${entry.version}`;
      return { kind: 'missing', code: 'version_not_found', text };
    }
    const pinned = await this.entryOf(entry, version);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(`${entry.id}@${wanted}`, pinned);
    return this.judge(entry, pinned);
  }

  private numberOrDigest(
    entry: SkillEntry,
    target: Target,
  ): number | string | Extract<Pin, { kind: 'missing' }> {
    if (target.kind === 'version') return target.version;
    if (target.kind === 'digest') return target.digest;
    const version = this.skills.labelsOf(entry.id).get(target.label);
    if (version !== undefined) return version;
    return { kind: 'missing', code: 'label_not_found', text: `the skill has no label "${target.label}"` };
  }

  /** Revocation is of bytes: it follows them into every version, and can come after they were kept. */
  private judge(entry: SkillEntry, pinned: SkillEntry): Pin {
    const reason = this.skills.revokedOf(entry.id).get(pinned.stored?.digest ?? '');
    if (reason === undefined) return { kind: 'found', entry: pinned };
    const text = `version ${pinned.version} of the skill was revoked: ${reason}`;
    return { kind: 'missing', code: 'skill_revoked', text };
  }

  private async entryOf(entry: SkillEntry, version: SkillVersion): Promise<SkillEntry> {
    const current = this.skills.get(entry.id);
    if (current === undefined) throw new Error(`the skill ${entry.slug} has versions and no row`);
    const { digest, fileHash, origin } = version;
    const stored = { ...current, version: version.version, digest, fileHash, origin };
    const head = await this.heads.read(stored);
    return withStored(
      {
        ...entry,
        name: head.frontmatter.name ?? entry.folderName,
        description: head.frontmatter.description ?? '',
        version: 1,
        frontmatter: head.frontmatter,
        findings: head.findings,
      },
      stored,
      { revoked: false, findings: [] },
    );
  }
}
