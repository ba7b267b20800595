import { randomUUID } from 'node:crypto';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Finding, finding } from '../../kernel/finding.js';
import { nameUuid } from '../../kernel/name-uuid.js';
import { errorCode } from '../../workspace/regular-file.adapter.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { WORKSPACE_MARKER } from '../discovery/locations.js';
import { parseMarker, renderMarker, type WorkspaceMarker } from './workspace-marker.js';

const MARKER_BYTES = 4096;
// Nobody writes a marker for so long.
const LEFT_BEHIND_MS = 60_000;

/** What stands in a workspace about itself. */
export type MarkerRead =
  | { readonly kind: 'ok'; readonly marker: WorkspaceMarker }
  | { readonly kind: 'missing' }
  | { readonly kind: 'foreign'; readonly because: string };

export interface WorkspaceClaim {
  /** UUID. */
  readonly id: string;
  /** `copied`: the marker was made for another folder or machine, so this is another workspace now. */
  readonly state: 'known' | 'new' | 'copied';
  /** False: no marker could be written; the id follows from machine and path. */
  readonly writable: boolean;
  readonly findings: readonly Finding[];
}

/** @param dir the workspace, absolute */
export function readMarker(files: WorkspaceFiles, dir: string): MarkerRead {
  const read = files.readFile(dir, WORKSPACE_MARKER, { maxBytes: MARKER_BYTES });
  if (read.kind === 'refused') {
    return read.reason === 'missing' ? { kind: 'missing' } : { kind: 'foreign', because: read.because };
  }
  const marker = parseMarker(read.bytes.toString('utf8'));
  return marker === null ? { kind: 'foreign', because: 'it is not what we write' } : { kind: 'ok', marker };
}

/**
 * Finds out which workspace a folder is, and marks it when it has no mark or one that came with a copy: two copies of
 * a workspace are two workspaces, which share nothing that was noted of one.
 *
 * @param dir the workspace, absolute
 * @param machine of `machineId`
 * @throws SkillwrightError `workspace_not_found`, `storage_full`
 */
export function claimWorkspace(files: WorkspaceFiles, dir: string, machine: string): WorkspaceClaim {
  const real = files.resolve(dir);
  const facts = real === null ? null : files.facts(real.path);
  if (real === null || facts?.kind !== 'folder') throw new SkillwrightError('workspace_not_found');
  const place = { dev: facts.dev.toString(), ino: facts.ino.toString(), machine };
  const read = readMarker(files, real.path);
  const known = markedId(read, place);
  if (known !== null) return { id: known, state: 'known', writable: true, findings: [] };
  const state = read.kind === 'ok' ? 'copied' : 'new';
  const writable = tryToMark(files, real.path, { id: randomUUID(), ...place });
  const findings = read.kind === 'foreign' ? [replaced(read.because, writable)] : [];
  // Of two processes that start at once on one folder one was first, and it is one workspace.
  const id = writable ? markedId(readMarker(files, real.path), place) : null;
  if (id !== null) return { id, state, writable, findings };
  return { id: nameUuid(`workspace\0${machine}\0${real.path}`), state, writable, findings };
}

function replaced(because: string, isDone: boolean): Finding {
  const facts = { path: WORKSPACE_MARKER, hint: because };
  const message = 'The file that says which workspace this is can be neither read nor replaced.';
  return finding('workspace_marker_replaced', isDone ? facts : { ...facts, message });
}

type Place = Omit<WorkspaceMarker, 'id'>;

/** The id, when the marker was made for this very folder. */
function markedId(read: MarkerRead, { dev, ino, machine }: Place): string | null {
  if (read.kind !== 'ok') return null;
  const { marker } = read;
  return marker.dev === dev && marker.ino === ino && marker.machine === machine ? marker.id : null;
}

function tryToMark(files: WorkspaceFiles, dir: string, marker: WorkspaceMarker): boolean {
  const ifStill = (): boolean => markedId(readMarker(files, dir), marker) === null;
  try {
    files.removeTemporaries(dir, [], LEFT_BEHIND_MS);
    files.writeFileAtomic(dir, WORKSPACE_MARKER, renderMarker(marker), { ifStill });
    return true;
  } catch (error) {
    // A folder of this name lies there, or nothing may be written at all.
    if (SkillwrightError.is(error) && error.code === 'path_invalid') return false;
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error))) return false;
    throw error;
  }
}
