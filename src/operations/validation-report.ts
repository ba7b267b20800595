import { type Finding } from '../kernel/finding.js';

export interface ValidationRequest {
  /** Files, skill folders or folders of skills, as a person wrote them. */
  readonly paths: readonly string[];
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  /** Breaches of the open specification are errors, not warnings. */
  readonly strict: boolean;
  /** In bytes and files, as the options name them. */
  readonly limits: {
    readonly skillMdBytes: number;
    readonly frontmatterBytes: number;
    readonly skillFiles: number;
    readonly skillBytes: number;
    readonly fileBytes: number;
    readonly uploadBytes: number;
    readonly archiveEntries: number;
  };
  /** Folders looked at below one path at most. */
  readonly maxFolders: number;
}

export interface ValidatedSkill {
  /** Of SKILL.md, beginning as the path was written. */
  readonly path: string;
  /** Null when the file did not say one. */
  readonly name: string | null;
  /** Without a finding of severity error. */
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

/** What validation says about everything below the given paths. */
export interface ValidationReport {
  /** By path. */
  readonly skills: readonly ValidatedSkill[];
  /** About paths, folders and links that are no skill. */
  readonly findings: readonly Finding[];
}

/** Every finding, in the order of the files. */
export function reportFindings({ skills, findings }: ValidationReport): readonly Finding[] {
  return [...skills.flatMap((skill) => skill.findings), ...findings];
}

/** An archive among the paths. */
export interface ArchivePlace {
  /** As the person wrote it. */
  readonly path: string;
  /** Absolute, without links. */
  readonly real: string;
}

/** Whether a file of this name is opened as an archive and not read as a SKILL.md. */
export function isArchiveName(path: string): boolean {
  return /\.(zip|skill|tgz|tar\.gz)$/i.test(path);
}
