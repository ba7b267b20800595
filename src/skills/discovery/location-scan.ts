import { type Finding } from '../../kernel/finding.js';
import { type FileStamp, type FolderItem } from '../../workspace/file-facts.js';
import { type FoundSkill } from './found-skill.js';
import { type SkillLocation } from './skill-entry.js';

/** A folder that is no skill and was listed. */
export interface FolderRecord {
  /** Absolute. */
  readonly dir: string;
  readonly stamp: FileStamp | null;
  readonly settled: boolean;
  readonly items: readonly FolderItem[];
  readonly unreadableNames: readonly string[];
  /** Why the items are those of an earlier pass; null when they are of this one. */
  readonly unreadable: string | null;
}

/** What one pass found in one location; the next pass starts from it. */
export interface LocationScan {
  readonly location: SkillLocation;
  /** Without links. */
  readonly realDir: string;
  /** By folder below the location. */
  readonly skills: ReadonlyMap<string, FoundSkill>;
  readonly folders: ReadonlyMap<string, FolderRecord>;
  readonly findings: readonly Finding[];
}

/** What one pass over all locations found, in their order. */
export interface CatalogScan {
  readonly scans: readonly LocationScan[];
  /** Remarks about locations as a whole. */
  readonly findings: readonly Finding[];
}
