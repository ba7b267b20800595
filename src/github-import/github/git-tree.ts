import { z } from 'zod';

const entrySchema = z.object({
  path: z.string().min(1),
  mode: z.string(),
  type: z.enum(['blob', 'tree', 'commit']),
  sha: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  size: z.number().int().nonnegative().optional(),
});

export const gitTreeSchema = z.object({
  sha: z.string(),
  tree: z.array(entrySchema),
  truncated: z.boolean().default(false),
});

export type GitTree = z.output<typeof gitTreeSchema>;
export type GitEntry = z.output<typeof entrySchema>;

export const LINK_MODE = '120000';

/** A file of a repository that can be fetched. */
export interface GitFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly mode: '0644' | '0755';
}

/** What lies below a folder: files, and what is no file. */
export interface FolderContents {
  readonly files: readonly GitFile[];
  readonly links: readonly string[];
  readonly submodules: readonly string[];
}

/** The entries at and below a folder, by kind. */
export function folderContents(entries: readonly GitEntry[], folder: string): FolderContents {
  const files: GitFile[] = [];
  const links: string[] = [];
  const submodules: string[] = [];
  for (const { path, mode, type, sha, size } of entries) {
    if (folder !== '' && !path.startsWith(`${folder}/`)) continue;
    if (type === 'commit') submodules.push(path);
    else if (type === 'blob' && mode === LINK_MODE) links.push(path);
    else if (type === 'blob')
      files.push({ path, sha, size: size ?? 0, mode: mode === '100755' ? '0755' : '0644' });
  }
  return { files, links, submodules };
}

export type PathLook =
  | { readonly kind: 'folder'; readonly path: string; readonly sha: string }
  | { readonly kind: 'file' | 'missing' };

/** What a path names; its Unicode form does not matter. The root of a repository is a folder. */
export function lookUp({ sha, tree }: GitTree, path: string): PathLook {
  if (path === '') return { kind: 'folder', path, sha };
  const wanted = path.normalize('NFC');
  const entry =
    tree.find((one) => one.path === path) ?? tree.find((one) => one.path.normalize('NFC') === wanted);
  if (entry?.type === 'tree') return { kind: 'folder', path: entry.path, sha: entry.sha };
  if (entry !== undefined) return { kind: 'file' };
  // An answer may leave out the trees themselves.
  const isFolder = tree.some((one) => one.path.startsWith(`${path}/`));
  return isFolder ? { kind: 'folder', path, sha: '' } : { kind: 'missing' };
}
