import { type Actor } from '../../events/author.js';
import { type Finding } from '../../kernel/finding.js';
import { type Origin, type SkillFile, type StoredSkill } from '../discovery/skill-entry.js';
import { type JsonValue } from '../format/skill-document.js';

/** Where a skill's bytes came from, beyond the word in `origin`; `url`, `commit`, `path` and the like. */
export type Provenance = Readonly<Record<string, JsonValue>>;

/** One version: immutable. */
export interface SkillVersion {
  readonly skillId: string;
  readonly version: number;
  readonly digest: string;
  readonly fileHash: string;
  readonly name: string;
  readonly description: string;
  /** SKILL.md first, the rest by path bytes. */
  readonly manifest: readonly SkillFile[];
  readonly frontmatter: Readonly<Record<string, JsonValue>>;
  readonly findings: readonly Finding[];
  readonly origin: Origin;
  readonly provenance: Provenance | null;
  readonly actor: Actor;
  readonly message: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A skill's whole folder, ready to become a version. Bytes of each file by its SHA-256. */
export interface NewContent {
  readonly digest: string;
  readonly fileHash: string;
  readonly manifest: readonly SkillFile[];
  readonly bytes: ReadonlyMap<string, Buffer>;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly frontmatter: Readonly<Record<string, JsonValue>>;
  readonly findings: readonly Finding[];
  readonly filePath: string;
  readonly origin: Origin;
  readonly provenance: Provenance | null;
}

/** Whether the seeder switched a skill off, because a release of the bundle did not have it. */
export function hasLeftBundle({ layer, enabled, disabledBy }: StoredSkill): boolean {
  return layer === 'bundled' && !enabled && disabledBy?.actor.subject === 'seed';
}

/** An earlier version as the newest again; its bytes are stored already. */
export function contentOfVersion(version: SkillVersion, filePath: string): NewContent {
  const { digest, fileHash, manifest, name, description, frontmatter, findings, origin, provenance } =
    version;
  const { tags } = frontmatter;
  return {
    digest,
    fileHash,
    manifest,
    bytes: new Map(),
    name,
    description,
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    frontmatter,
    findings,
    filePath,
    origin,
    provenance,
  };
}
