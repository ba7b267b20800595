import { join } from 'node:path';
import { type Sliced } from '../workspace/time-slices.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import { type Problem } from './verification.js';

/** Where temporary files of ours may lie for a moment, and where none may ever. All absolute. */
export interface StagingPlaces {
  readonly workspace: string;
  readonly dataDir: string;
  /** Folders that are only read. */
  readonly sources: readonly string[];
}

const TEMPORARY = /^\.skw-/;
const HOUR_MS = 3_600_000;
/** What a skill may be below its folder, and more. */
const MAX_DEPTH = 16;

/**
 * Looks for temporary files of writers that died. In the workspace and the data folder they are staging, which may be
 * young; anywhere else nothing of ours may lie.
 *
 * @param now milliseconds since the epoch
 */
export function* findStaging(
  files: WorkspaceFiles,
  { workspace, dataDir, sources }: StagingPlaces,
  now: number,
): Sliced<Problem[]> {
  const problems: Problem[] = [];
  const inOurs = (path: string, shownAs: string): void => {
    const stamp = files.stamp(path);
    if (stamp !== null && now - stamp.mtimeMs > HOUR_MS) {
      problems.push({ invariant: 'I5', path: shownAs, text: 'a temporary file is older than an hour' });
    }
  };
  const inOthers = (path: string, shownAs: string): void => {
    problems.push({ invariant: 'I8', path: shownAs, text: `a temporary file lies in a source: ${path}` });
  };
  yield* walk(files, { dir: workspace, shownAs: '.', depth: 0 }, inOurs);
  for (const below of ['skills', 'workflows']) {
    yield* walk(files, { dir: join(workspace, below), shownAs: below, depth: MAX_DEPTH }, inOurs);
  }
  yield* walk(files, { dir: dataDir, shownAs: 'data folder', depth: 1 }, inOurs);
  for (const source of sources) {
    yield* walk(files, { dir: source, shownAs: source, depth: MAX_DEPTH }, inOthers);
  }
  return problems;
}

interface Place {
  readonly dir: string;
  readonly shownAs: string;
  /** Levels of folders below that are looked into. */
  readonly depth: number;
}

function* walk(
  files: WorkspaceFiles,
  { dir, shownAs, depth }: Place,
  report: (path: string, shownAs: string) => void,
): Sliced<undefined> {
  const listing = files.list(dir);
  yield;
  if (listing.kind !== 'ok') return;
  for (const { name, kind } of listing.items) {
    const place = { dir: join(dir, name), shownAs: join(shownAs, name), depth: depth - 1 };
    if (TEMPORARY.test(name)) report(place.dir, place.shownAs);
    else if (kind === 'folder' && depth > 0) yield* walk(files, place, report);
  }
}
