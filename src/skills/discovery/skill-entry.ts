import { type Actor } from '../../events/author.js';
import { type Finding } from '../../kernel/finding.js';
import { type SkillFrontmatter } from '../format/skill-document.js';

/** Which set of skills a row belongs to; rows are unique by (layer, slug). */
export type Layer = 'workspace' | 'agents' | 'bundled' | 'builtin' | `path:${string}`;

export type Origin = 'disk' | 'github' | 'zip' | 'bundled' | 'builtin' | 'builder';

/** The one word that says whether a step may have the skill, and if not, why. */
export type Availability =
  'available' | 'degraded' | 'disabled' | 'shadowed' | 'invalid' | 'revoked' | 'deleted';

/** One directory that is searched, with a label and a place in the order. */
export interface SkillLocation {
  /** Absolute. */
  readonly dir: string;
  /** Shown to people: "workspace", "project (claude)", "agent". */
  readonly label: string;
  readonly layer: Layer;
  /** Folders looked at below `dir`; 1 finds `<dir>/<name>/SKILL.md` only. */
  readonly depth: number;
  /** Path shown for `dir` in answers, `skills` or `~/.claude/skills`; host paths never leave the service. */
  readonly shownAs: string;
}

/** One skill as it was found: immutable, part of a snapshot. */
export interface SkillEntry {
  /** Stable for (layer, slug). */
  readonly id: string;
  readonly slug: string;
  /** Frontmatter name, else the folder's name. */
  readonly name: string;
  /** Empty when there is none; such a skill is never offered. */
  readonly description: string;
  readonly layer: Layer;
  /** Label of the location. */
  readonly source: string;
  readonly origin: Origin;
  /** 1 for a skill that has content, 0 for a folder that never parsed. */
  readonly version: number;
  readonly enabled: boolean;
  readonly status: 'active' | 'archived';
  /** Missing dependencies, `pip:openpyxl`; empty when none are known. */
  readonly missingDeps: readonly string[];
  readonly availability: Availability;
  /** Id of the entry that hides this one. */
  readonly shadowedBy: string | null;
  readonly frontmatter: SkillFrontmatter;
  readonly findings: readonly Finding[];
  /** Folder name as on disk. */
  readonly folderName: string;
  /** Absolute folder; null for a builtin. */
  readonly dir: string | null;
  /** Where the winning bytes lie, for people: `skills/x/SKILL.md`, `builtin:agent-browser`. */
  readonly filePath: string;
  /** File name as on disk, `SKILL.md` or a case twin. */
  readonly fileName: string;
  /** Its row in the database; null while nothing of it is stored, and always without a database. */
  readonly stored: StoredSkill | null;
}

/** Why and by whom a skill was switched off. */
export interface DisabledBy {
  readonly actor: Actor;
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What every replica holds in memory of each stored skill: its current version, and what people decided. */
export interface StoredSkill {
  readonly id: string;
  readonly layer: Layer;
  readonly slug: string;
  readonly version: number;
  /** Of the whole folder. */
  readonly digest: string;
  /** Hex SHA-256 of SKILL.md alone, by which its bytes are found; null in a row that was written without one. */
  readonly fileHash: string | null;
  readonly origin: Origin;
  readonly enabled: boolean;
  readonly disabledBy: DisabledBy | null;
  readonly status: 'active' | 'archived';
  readonly missingDeps: readonly string[];
  readonly visibility: 'private' | 'internal' | 'public';
  readonly owner: string;
  readonly deleted: boolean;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** Of the last change of this row. */
  readonly revision: number;
}

/** All skills at one moment: immutable, numbered, swapped as a whole. */
export interface CatalogSnapshot {
  /** Rises with every change. */
  readonly revision: number;
  /** Every entry, hidden and broken ones too, by slug and then by order of locations. */
  readonly entries: readonly SkillEntry[];
  /** The winner for each slug. */
  readonly bySlug: ReadonlyMap<string, SkillEntry>;
  /** Winners by frontmatter name. */
  readonly byName: ReadonlyMap<string, readonly SkillEntry[]>;
  readonly byId: ReadonlyMap<string, SkillEntry>;
  /** Winners by a slug that they had before they were moved, where nobody else has it now. */
  readonly aliases: ReadonlyMap<string, SkillEntry>;
  /** Deleted skills whose slug nobody else has, by slug; they are in no other list, and can be restored. */
  readonly deleted: ReadonlyMap<string, SkillEntry>;
  /** Findings about locations and folders that are no skill. */
  readonly findings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
}

/** One file of a skill, without its bytes. */
export interface SkillFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mode: '0644' | '0755';
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  /** `text` when the bytes are UTF-8 without NUL. */
  readonly kind: 'text' | 'binary';
}

/** One file of a skill with its bytes. */
export interface SkillFileContent extends SkillFile {
  readonly bytes: Buffer;
}

/** A skill's folder, read whole. */
export interface SkillContent {
  /** `sha256:` over paths, modes and bytes. */
  readonly digest: string;
  /** Hex SHA-256 of SKILL.md alone. */
  readonly fileHash: string;
  /** Text of SKILL.md after the frontmatter. */
  readonly body: string;
  /** SKILL.md first, the rest by path bytes. */
  readonly files: readonly SkillFile[];
  /** Remarks of reading: links and names left out. */
  readonly findings: readonly Finding[];
}
