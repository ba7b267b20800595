import { resolve } from 'node:path';
import { type SkillwrightOptions } from '../config/options.js';
import { type DatabaseService } from '../database/database.service.js';
import { BlobCollection } from '../skills/store/blob-collection.store.js';
import { runSliced } from '../workspace/time-slices.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { findStaging, type StagingPlaces } from './staging.service.js';
import { judgeStored } from './stored-state.service.js';
import { type Problem, type Verification } from './verification.js';

/** More of them say nothing new. */
const SHOWN_PROBLEMS = 1000;

export interface VerifyRequest {
  /** Every version, not only the current ones of live skills. */
  readonly all: boolean;
}

/** What is looked at. */
export interface VerifyGround {
  readonly options: SkillwrightOptions;
  readonly database: DatabaseService;
  readonly files: WorkspaceFiles;
}

/**
 * Looks whether what is stored is whole, and whether anything is left behind on disk. Changes nothing.
 *
 * @throws SkillwrightError `db_unavailable`
 */
export async function verifyEverything(
  { options, database, files }: VerifyGround,
  { all }: VerifyRequest,
): Promise<Verification> {
  const stored = await judgeStored(database, { all });
  const problems = [
    ...stored.problems,
    ...(await findOrphans(database)),
    ...(await runSliced(findStaging(files, placesOf(options), Date.now()))),
  ];
  return {
    ok: problems.length === 0,
    all,
    checked: stored.checked,
    problems: problems.slice(0, SHOWN_PROBLEMS),
    found: problems.length,
  };
}

async function findOrphans(database: DatabaseService): Promise<Problem[]> {
  const text = 'no version refers to these bytes, and they were not collected';
  const hashes = await new BlobCollection(database).overdue();
  return hashes.map((path) => ({ invariant: 'I5', path, text }));
}

function placesOf({ workspace, data, bundled, discovery }: SkillwrightOptions): StagingPlaces {
  const sources = [...(bundled.dir === undefined ? [] : [bundled.dir]), ...discovery.path];
  return {
    workspace: resolve(workspace.dir),
    dataDir: resolve(data.dir),
    sources: sources.map((dir) => resolve(dir)),
  };
}
