import { splitRelativePath } from '../../workspace/paths.js';
import { type ArchiveRefusal, refuseArchive } from './archive-limits.js';

/**
 * The paths of an archive so far. Two that differ only in case or in Unicode form are one file on some disks, and
 * which of the two wins depends on who unpacks.
 */
export class MemberPaths {
  /** Folded path -> how it was spelled first, and whether it is a folder. */
  readonly #seen = new Map<
    string,
    { readonly spelled: string; readonly isFolder: boolean; named: boolean }
  >();

  /**
   * Judges the path of one entry and remembers it. Backslashes, which some tools of Windows write, are separators.
   *
   * @returns the path without a slash at its end, or why it is refused.
   */
  add(written: string, isFolder: boolean): { readonly kind: 'ok'; readonly path: string } | ArchiveRefusal {
    const path = written.replaceAll('\\', '/').replace(/\/$/, '');
    const check = splitRelativePath(path);
    if (check.kind === 'unsafe') return refuseArchive('archive_path_unsafe', check.because, written);
    let parent = '';
    for (const segment of check.segments.slice(0, -1)) {
      parent = parent === '' ? segment : `${parent}/${segment}`;
      const clash = this.#enter(parent, true, false);
      if (clash !== null) return refuseArchive('archive_duplicate_entry', clash, written);
    }
    const clash = this.#enter(path, isFolder, true);
    return clash === null ? { kind: 'ok', path } : refuseArchive('archive_duplicate_entry', clash, written);
  }

  /** @param named whether the archive has an entry for it, or it only stands above one. */
  #enter(path: string, isFolder: boolean, named: boolean): string | null {
    const key = fold(path);
    const known = this.#seen.get(key);
    if (known === undefined) {
      this.#seen.set(key, { spelled: path, isFolder, named });
      return null;
    }
    if (known.isFolder !== isFolder) return 'it is both a file and a folder';
    if (known.spelled !== path)
      return `it differs from ${JSON.stringify(known.spelled)} in case or form only`;
    if (known.named && named) return 'it stands twice';
    known.named ||= named;
    return null;
  }
}

/** Equal for names that some file system takes for the same: capitals first, so that `ß` and `SS` meet. */
function fold(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
