import { isCanonicalSegment } from '../../kernel/slug.js';

const FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', 'venv', '__pycache__', '__MACOSX']);
const FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
// Byte-code, resource forks, editors' swap, backup, lock and temporary files, our own temporary files.
const PATTERNS = [/\.pyc$/, /^\._/, /\.swp$/, /~$/, /^#.*#$/, /\.tmp\./, /^\.skw-/];

/**
 * Whether a file or folder of this name belongs to a skill. What does not is never stored, listed, hashed,
 * watched or delivered.
 */
export function isPartOfSkill(name: string): boolean {
  // Small letters, digits and inner hyphens alone can match no pattern; a pass asks this of every folder.
  if (isCanonicalSegment(name)) return !FOLDERS.has(name);
  return !FOLDERS.has(name) && !FILES.has(name) && !PATTERNS.some((pattern) => pattern.test(name));
}

/** Whether a folder of this name is looked at for skills: `.x` and `_x` can be no part of a slug. */
export function isSearched(name: string): boolean {
  return !name.startsWith('.') && !name.startsWith('_') && isPartOfSkill(name);
}

/** The file that makes a folder a skill; another case loads with a finding. */
export const SKILL_FILE = 'SKILL.md';

/** `SKILL.md` itself, else the first case twin of it in sorted order; null when there is none. */
export function skillFileAmong(names: readonly string[]): string | null {
  if (names.includes(SKILL_FILE)) return SKILL_FILE;
  return names.find((name) => name.toLowerCase() === 'skill.md') ?? null;
}
