/** Which skills a command works on, decided from what stands around it. */

export interface WorkspaceSigns {
  /** Absolute. */
  readonly cwd: string;
  /** `--workspace`. */
  readonly flag: string | undefined;
  /** `SKILLWRIGHT_WORKSPACE_DIR`. */
  readonly env: string | undefined;
  /** Whether the marker file of a workspace lies in the current folder. */
  readonly hasMarker: boolean;
  /** Whether `./workspace-docs` is a folder. */
  readonly hasWorkspaceDocs: boolean;
}

export type WorkspaceDecision =
  | { readonly kind: 'workspace'; readonly dir: string; readonly because: string }
  | { readonly kind: 'none'; readonly because: string };

/** The folder that is configured by default. */
export const WORKSPACE_DOCS = 'workspace-docs';
/** Lies in the root of every workspace that a service has worked on. */
export const WORKSPACE_MARKER = '.skillwright-workspace.json';

/** An explicit choice first, then what the current folder shows to be a workspace. */
export function decideWorkspace(signs: WorkspaceSigns): WorkspaceDecision {
  const { flag, env, hasMarker, hasWorkspaceDocs, cwd } = signs;
  if (flag !== undefined) return { kind: 'workspace', dir: flag, because: '--workspace names it' };
  if (env !== undefined && env !== '') {
    return { kind: 'workspace', dir: env, because: 'SKILLWRIGHT_WORKSPACE_DIR names it' };
  }
  if (hasMarker) return { kind: 'workspace', dir: cwd, because: `${WORKSPACE_MARKER} lies here` };
  if (hasWorkspaceDocs) {
    return { kind: 'workspace', dir: `./${WORKSPACE_DOCS}`, because: `./${WORKSPACE_DOCS} lies here` };
  }
  return {
    kind: 'none',
    because: `no --workspace, no SKILLWRIGHT_WORKSPACE_DIR, no ${WORKSPACE_MARKER} and no ./${WORKSPACE_DOCS}`,
  };
}

export interface OwnerFacts {
  /** Null while the owner is still starting. */
  readonly url: string | null;
  /** Absolute folder that the owner serves; undefined when it does not say. */
  readonly workspace?: string | undefined;
}

export interface BackendSigns {
  /** `--url` or `SKILLWRIGHT_URL`. */
  readonly url: string | undefined;
  /** Who owns the data folder, if anybody. */
  readonly owner: OwnerFacts | null;
  /** Absolute; null without a workspace. */
  readonly workspace: string | null;
}

export type BackendDecision =
  | { readonly kind: 'service'; readonly url: string; readonly because: string }
  | { readonly kind: 'folder'; readonly because: string };

/**
 * A running service knows more than its folder (presets, toggles), so it is asked when it serves the very
 * workspace that the command means.
 */
export function decideBackend({ url, owner, workspace }: BackendSigns): BackendDecision {
  if (url !== undefined && url !== '') return { kind: 'service', url, because: 'a URL is given' };
  if (owner === null) return { kind: 'folder', because: 'no service owns the data folder' };
  if (owner.url === null) {
    return { kind: 'folder', because: 'the service that owns the data folder is still starting' };
  }
  if (workspace !== null && owner.workspace !== undefined && owner.workspace !== workspace) {
    return { kind: 'folder', because: 'the service that owns the data folder serves another workspace' };
  }
  return { kind: 'service', url: owner.url, because: 'a service owns the data folder' };
}
