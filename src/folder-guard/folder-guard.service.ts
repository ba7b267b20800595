import { resolve } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { lookAtPath, realFolder } from '../workspace/path-look.adapter.js';
import { type AccessDecision, type AccessRequest, decideAccess } from './decide-access.js';
import { buildSkillFolderGuardPaths, type SkillGrants } from './grants.js';
import { type GuardGrants } from './guard-grants.js';
import { type GuardGround } from './guard-roots.js';

/** What a step may read and write. */
export class FolderGuardService {
  constructor(private readonly options: Pick<SkillwrightOptions, 'workspace'>) {}

  /**
   * Read-only grants for skill folders.
   *
   * @example guard.buildSkillFolderGuardPaths(['pdf']).readPaths // ['skills/pdf/', 'skills/pdf']
   */
  buildSkillFolderGuardPaths(slugs: Iterable<string>): SkillGrants {
    return buildSkillFolderGuardPaths(slugs);
  }

  /**
   * Whether an operation may go on, by the places its paths lead to on disk at this moment. Never throws; whatever
   * is not understood is denied.
   *
   * @param grants as `WorkflowSkillsService.stepGrants` gives them, with what the engine adds
   * @example guard.check({ operation: 'read', path: 'skills/pdf/SKILL.md' }, { read_paths: ['skills/pdf'] }).allow
   */
  check(request: AccessRequest, grants: GuardGrants): AccessDecision {
    return decideAccess(request, grants, this.ground(grants));
  }

  private ground({ skill_places: places = [] }: GuardGrants): GuardGround {
    return {
      root: realFolder(resolve(this.options.workspace.dir)),
      look: lookAtPath,
      skillPlaces: places.map(realFolder),
      foldsNames: process.platform === 'darwin',
    };
  }
}
