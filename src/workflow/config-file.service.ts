import { join } from 'node:path';
import { finding, type Finding } from '../kernel/finding.js';
import { splitRelativePath } from '../workspace/paths.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';

/** The folder of all workflows, below the workspace. */
export const WORKFLOWS = 'workflows';

/** Where a workflow's steps may stand; the first that exists counts. */
export const CONFIG_PATHS = ['step_config.json', 'planning/step_config.json'] as const;

const MAX_BYTES = 4 * 1_048_576;

/** A file of a workflow. */
export type TextRead =
  | { readonly kind: 'ok'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  /** `bytes`: what could be read all the same. */
  | { readonly kind: 'refused'; readonly finding: Finding; readonly bytes: Buffer | null };

/** The step_config.json that counts. */
export interface ConfigFile {
  /** Below the workflow's folder. */
  readonly path: string;
  readonly read: TextRead;
  /** Whether another one stands beside it and is not read. */
  readonly twice: boolean;
}

/** Whether a text can be the id of a workflow: the name of one folder. */
export function isWorkflowId(id: string): boolean {
  const check = splitRelativePath(id);
  return check.kind === 'ok' && check.segments.length === 1 && !id.startsWith('.');
}

/** Ids of all workflows, sorted. */
export function workflowIds(files: WorkspaceFiles, workspace: string): string[] {
  const listing = files.list(join(workspace, WORKFLOWS));
  if (listing.kind !== 'ok') return [];
  return listing.items.flatMap(({ kind, name }) => (kind === 'folder' && isWorkflowId(name) ? [name] : []));
}

/** @param path below the workspace */
export function readText(files: WorkspaceFiles, workspace: string, path: string): TextRead {
  const read = files.readFile(workspace, path, { maxBytes: MAX_BYTES });
  if (read.kind === 'ok') {
    const { bytes } = read;
    const text = bytes.toString('utf8');
    if (Buffer.from(text).equals(bytes)) return { kind: 'ok', text, bytes };
    return { kind: 'refused', finding: finding('encoding_invalid', { path }), bytes };
  }
  if (read.reason === 'missing') return { kind: 'missing' };
  const message = `${path}: ${read.because}`;
  return { kind: 'refused', finding: finding('file_unreadable', { path, message }), bytes: null };
}

/** Reads the steps of a workflow from where they count; without any, from where they would be made. */
export function readConfigFile(files: WorkspaceFiles, workspace: string, id: string): ConfigFile {
  const [atRoot, inPlanning] = CONFIG_PATHS;
  const root = readText(files, workspace, `${WORKFLOWS}/${id}/${atRoot}`);
  const planning = readText(files, workspace, `${WORKFLOWS}/${id}/${inPlanning}`);
  if (root.kind === 'missing' && planning.kind !== 'missing') {
    return { path: inPlanning, read: planning, twice: false };
  }
  return { path: atRoot, read: root, twice: root.kind !== 'missing' && planning.kind !== 'missing' };
}
