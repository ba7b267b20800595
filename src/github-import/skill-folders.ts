import { isPartOfSkill, skillFileAmong } from '../skills/discovery/not-part.js';

/** A folder of a source that holds a SKILL.md. */
export interface SkillFolder {
  /** Relative to the source, with `/`; empty for its root. */
  readonly path: string;
  /** File name as it is spelled there. */
  readonly fileName: string;
  /** An outer folder that holds a SKILL.md too, of which this one is a part; null when there is none. */
  readonly inside: string | null;
}

/** Every folder that directly holds a SKILL.md, by path. What never belongs to a skill is not looked at. */
export function findSkillFolders(paths: Iterable<string>): SkillFolder[] {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    if (name.toLowerCase() !== 'skill.md' || !segments.every(isPartOfSkill)) continue;
    const folder = segments.join('/');
    names.set(folder, [...(names.get(folder) ?? []), name].sort());
  }
  const folders = Array.from(names.keys()).sort();
  return folders.map((path) => ({
    path,
    fileName: skillFileAmong(names.get(path) ?? []) ?? '',
    inside: folders.find((other) => other !== path && isBelow(other, path)) ?? null,
  }));
}

/** The path of a file relative to the folder; null when it lies elsewhere or belongs to no skill. */
export function pathInFolder(folder: string, path: string): string | null {
  if (!isBelow(folder, path)) return null;
  const relative = folder === '' ? path : path.slice(folder.length + 1);
  return relative.split('/').every(isPartOfSkill) ? relative : null;
}

export function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** What a caller can choose by. */
export interface NamedFolder extends SkillFolder {
  /** Frontmatter name; null when none could be read. */
  readonly name: string | null;
}

export type Selection<Folder> =
  | { readonly kind: 'chosen'; readonly folders: readonly Folder[] }
  | { readonly kind: 'none' | 'ambiguous'; readonly because: string };

/**
 * Which of the folders are meant: the only one, or those that `select` names by path, by last segment or by name;
 * `*` is all that are no part of another. All or nothing.
 */
export function selectFolders<Folder extends NamedFolder>(
  folders: readonly Folder[],
  select: readonly string[] | null,
): Selection<Folder> {
  if (folders.length === 0) return { kind: 'none', because: 'there is no SKILL.md in it' };
  if (select === null || select.length === 0) {
    return folders.length === 1
      ? { kind: 'chosen', folders }
      : {
          kind: 'ambiguous',
          because: `it holds ${folders.length} skills; name one, several or * with select`,
        };
  }
  const chosen = new Set<Folder>();
  for (const wanted of select) {
    const found = matches(folders, wanted);
    if (found.length === 0) return { kind: 'none', because: `it holds no skill ${JSON.stringify(wanted)}` };
    if (wanted !== '*' && found.length > 1) {
      return {
        kind: 'ambiguous',
        because: `${JSON.stringify(wanted)} names ${found.length} skills; use a path`,
      };
    }
    for (const folder of found) chosen.add(folder);
  }
  return { kind: 'chosen', folders: folders.filter((folder) => chosen.has(folder)) };
}

function matches<Folder extends NamedFolder>(folders: readonly Folder[], wanted: string): readonly Folder[] {
  if (wanted === '*') return folders.filter(({ inside }) => inside === null);
  const text = wanted.normalize('NFC').replace(/^\.\//, '').replace(/\/$/, '');
  const path = text === '.' ? '' : text.replace(/(^|\/)skill\.md$/i, '');
  const ways = [
    (folder: Folder) => folder.path.normalize('NFC') === path,
    (folder: Folder) => folder.path.normalize('NFC').split('/').at(-1) === text,
    (folder: Folder) => folder.name === text,
  ];
  for (const way of ways) {
    const found = folders.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}
