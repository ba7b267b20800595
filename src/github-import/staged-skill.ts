import { type Finding } from '../kernel/finding.js';
import { type SkillFileContent } from '../skills/discovery/skill-entry.js';
import { type SkillDocument } from '../skills/format/skill-document.js';

/** Where a staged skill came from, to be kept with it. Holds no token and no host path. */
export type Provenance =
  | {
      readonly origin: 'zip';
      /** Hex SHA-256 of the archive. */
      readonly sha256: string;
      /** Folder inside the archive; empty for its root. */
      readonly path: string;
    }
  | {
      readonly origin: 'github';
      /** Address of the folder at that commit, for people. */
      readonly url: string;
      readonly host: string;
      readonly owner: string;
      readonly repo: string;
      /** Stays when a repository is renamed, differs when the name was registered anew. */
      readonly repositoryId: number;
      /** Branch, tag or commit that was asked for. */
      readonly ref: string;
      /** Full hash of the commit it stood for. */
      readonly commit: string;
      readonly path: string;
      /** Git hash of the folder's tree; null when the answer of the source does not hold it. */
      readonly tree: string | null;
    };

/**
 * A skill that came in and was judged, whole in memory; nothing was written. What stands here is all that a
 * catalogue needs to keep it.
 */
export interface StagedSkill {
  /** Address it would get; null when neither its name nor its folder gives one. */
  readonly slug: string | null;
  /** Folder inside the source; empty for its root. */
  readonly path: string;
  readonly document: SkillDocument;
  /** File name of SKILL.md as it is spelled. */
  readonly fileName: string;
  /** SKILL.md first, the rest by path bytes. */
  readonly files: readonly SkillFileContent[];
  /** `sha256:` over paths, modes and bytes. */
  readonly digest: string;
  /** Bytes of all files. */
  readonly size: number;
  /** Of the document, of the scan of every file, and of the fetching. Paths are relative to the skill's folder. */
  readonly findings: readonly Finding[];
  /** Why it would arrive disabled, in one sentence; null when it would not. */
  readonly disabledBecause: string | null;
  readonly provenance: Provenance;
}
