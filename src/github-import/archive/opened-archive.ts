import { SkillwrightError } from '../../kernel/errors.js';
import { type ArchiveMember, type ArchiveRefusal } from './archive-limits.js';

/** An archive whose every entry was judged. */
export interface OpenedArchive {
  readonly members: readonly ArchiveMember[];
  /**
   * The bytes of a member, exactly as many as it says.
   *
   * @throws SkillwrightError `archive_invalid` when they are damaged.
   */
  read(path: string): Buffer;
}

export function archiveError({ code, because, entry }: ArchiveRefusal): SkillwrightError {
  const where =
    entry === undefined ? 'the archive was refused' : `the entry ${JSON.stringify(entry)} was refused`;
  return new SkillwrightError(code, {
    detail: `${where}: ${because}`,
    ...(entry !== undefined && { entry }),
  });
}
