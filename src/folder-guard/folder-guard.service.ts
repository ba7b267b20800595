import { buildSkillFolderGuardPaths, type SkillGrants } from './grants.js';

/** What a step may read and write. */
export class FolderGuardService {
  /**
   * Read-only grants for skill folders.
   *
   * @example guard.buildSkillFolderGuardPaths(['pdf']).readPaths // ['skills/pdf/', 'skills/pdf']
   */
  buildSkillFolderGuardPaths(slugs: Iterable<string>): SkillGrants {
    return buildSkillFolderGuardPaths(slugs);
  }
}
