import { type SkillwrightOptions } from '../../config/options.js';
import { type StoredSkill } from '../discovery/skill-entry.js';
import { type SkillHead } from '../format/skill-document.js';
import { parseSkillHead } from '../format/skill-head.js';
import { type BlobStore } from './blob.store.js';

const HEAD_BYTES = 4096;
// So many heads are asked for at once.
const BATCH = 200;

/**
 * What stored SKILL.md files say, for skills whose working copy does not say it: deleted, lost, or in between two
 * versions. Read from the first bytes, as from disk.
 */
export class StoredHeads {
  private readonly known = new Map<string, SkillHead>();

  constructor(
    private readonly blobs: BlobStore,
    private readonly limits: SkillwrightOptions['limits'],
  ) {}

  /** The head, if it was loaded. */
  of(skill: StoredSkill): SkillHead | undefined {
    return skill.fileHash === null ? undefined : this.known.get(keyOf(skill, skill.fileHash));
  }

  /** Loads the heads of these skills, and forgets those of others. @throws SkillwrightError `db_unavailable` */
  async keep(skills: readonly StoredSkill[]): Promise<void> {
    const wanted = new Map(
      skills.flatMap((skill) => (skill.fileHash === null ? [] : [[keyOf(skill, skill.fileHash), skill]])),
    );
    for (const key of this.known.keys()) if (!wanted.has(key)) this.known.delete(key);
    const missing = [...wanted].filter(([key]) => !this.known.has(key)).map(([, skill]) => skill);
    for (let at = 0; at < missing.length; at += BATCH) await this.load(missing.slice(at, at + BATCH));
  }

  /** The head of one version, whether or not it is kept. @throws SkillwrightError `db_unavailable` */
  async read(skill: StoredSkill): Promise<SkillHead> {
    const known = this.of(skill);
    if (known !== undefined) return known;
    await this.load([skill]);
    const head = this.of(skill);
    if (head === undefined) throw new Error(`SKILL.md of ${skill.slug} is not stored`);
    return head;
  }

  private async load(skills: readonly StoredSkill[]): Promise<void> {
    const heads = await this.blobs.heads(hashesOf(skills), HEAD_BYTES);
    const longer: StoredSkill[] = [];
    for (const skill of skills) if (!this.parse(skill, heads, HEAD_BYTES)) longer.push(skill);
    if (longer.length === 0) return;
    const bytes = this.limits.frontmatterBytes + HEAD_BYTES;
    const more = await this.blobs.heads(hashesOf(longer), bytes);
    for (const skill of longer) this.parse(skill, more, bytes);
  }

  /** @returns false when more bytes are needed */
  private parse(skill: StoredSkill, heads: ReadonlyMap<string, Buffer>, asked: number): boolean {
    const bytes = skill.fileHash === null ? undefined : heads.get(skill.fileHash);
    if (skill.fileHash === null || bytes === undefined) return true;
    const folderName = skill.slug.slice(skill.slug.lastIndexOf('/') + 1);
    // The whole size is not known and need not be: bytes that fill what was asked for may go on.
    const size = bytes.length < asked ? bytes.length : bytes.length + 1;
    const head = parseSkillHead(bytes, { folderName, limits: this.limits, size });
    if (head === 'need_more') return false;
    this.known.set(keyOf(skill, skill.fileHash), head);
    return true;
  }
}

/** The head depends on the folder's name too. */
function keyOf({ slug }: StoredSkill, fileHash: string): string {
  return `${fileHash}\0${slug}`;
}

function hashesOf(skills: readonly StoredSkill[]): string[] {
  return skills.flatMap(({ fileHash }) => fileHash ?? []);
}
