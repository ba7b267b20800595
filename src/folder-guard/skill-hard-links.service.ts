import { lookAtPath } from '../workspace/path-look.adapter.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';

/** The first file below a folder that has more than one name, relative to it; null when there is none. */
export function findHardLink(folder: string, files: WorkspaceFiles): string | null {
  const ahead = [''];
  for (let below = ahead.pop(); below !== undefined; below = ahead.pop()) {
    const listing = files.list(`${folder}/${below}`);
    if (listing.kind !== 'ok') continue;
    for (const { name, kind } of listing.items) {
      const path = below === '' ? name : `${below}/${name}`;
      if (kind === 'folder') ahead.push(path);
      if (kind !== 'file') continue;
      const seen = lookAtPath(`${folder}/${path}`);
      if (seen.kind === 'file' && seen.names > 1) return path;
    }
  }
  return null;
}
