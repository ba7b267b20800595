import { containsPath } from '../workspace/paths.js';
import { type LookAt } from '../workspace/path-look.js';

/** Limits of the Linux kernel, beyond which no call succeeds. */
const MAX_PATH_BYTES = 4095;
const MAX_SEGMENT_BYTES = 255;
const MAX_LINKS = 40;
/** What lies here is not files: the same path means something else to each process. */
const SPECIAL = ['/proc', '/dev', '/sys'] as const;

export interface ResolveRules {
  /** Absolute place from which a relative path starts; links in it are followed. */
  readonly from: string;
  readonly look: LookAt;
  /** Whether a link at the end of the path is followed, as reading does and deleting does not. */
  readonly followLast: boolean;
  /** A place that is taken for files even where it lies in one of the special folders. */
  readonly root: string;
}

/** Where a path leads. */
export type ResolvedPath =
  | {
      readonly kind: 'ok';
      /** Absolute, without links, `.` and `..`; what is missing at the end is taken as it is spelled. */
      readonly path: string;
      readonly found: 'missing' | 'folder' | 'file' | 'link' | 'other';
      /** Of a file: how many names it has. Else 0. */
      readonly names: number;
      /** Links that were followed on the way: where each lies and what it says. */
      readonly links: readonly { readonly at: string; readonly target: string }[];
    }
  | { readonly kind: 'refused'; readonly because: string };

/**
 * Walks a path as the kernel does: link by link, `..` from where a link led, never by rewriting the text. Where the
 * kernel's answer could change before the path is used (`..` below something missing), there is no answer.
 *
 * @example resolvePath('refs/../SKILL.md', { from: '/ws/skills/pdf', look, followLast: true, root: '/ws' })
 */
export function resolvePath(text: string, { from, look, followLast, root }: ResolveRules): ResolvedPath {
  const problem = textProblem(text);
  if (problem !== null) return refused(problem);
  // Backwards, so that the next segment is taken from the end.
  const ahead = (text.startsWith('/') ? text : `${from}/${text}`).split('/').reverse();
  const links: { at: string; target: string }[] = [];
  let here = '/';
  let found: 'missing' | 'folder' | 'file' | 'other' = 'folder';
  let names = 0;
  for (let segment = ahead.pop(); segment !== undefined; segment = ahead.pop()) {
    if (found === 'file' || found === 'other') return refused('something on the way is not a folder');
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (found === 'missing') return refused('it goes up from something that does not exist');
      here = here.slice(0, here.lastIndexOf('/')) || '/';
      continue;
    }
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return refused('a name on the way is too long');
    const next = here === '/' ? `/${segment}` : `${here}/${segment}`;
    if (isSpecial(next, root)) return refused('it leads through /proc, /dev or /sys');
    if (found !== 'missing') {
      const seen = look(next);
      if (seen.kind === 'unknown') return refused(`a place on the way cannot be looked at: ${seen.because}`);
      if (seen.kind === 'link') {
        if (ahead.length === 0 && !followLast)
          return { kind: 'ok', path: next, found: 'link', names: 0, links };
        if (links.length === MAX_LINKS) return refused('it leads through too many links');
        if (seen.target === '') return refused('a link on the way is empty');
        links.push({ at: next, target: seen.target });
        if (seen.target.startsWith('/')) here = '/';
        ahead.push(...seen.target.split('/').reverse());
        continue;
      }
      found = seen.kind;
      names = seen.kind === 'file' ? seen.names : 0;
    }
    here = next;
  }
  return { kind: 'ok', path: here, found, names, links };
}

function textProblem(text: string): string | null {
  if (text === '') return 'it is empty';
  if (text.includes('\0')) return 'it holds a NUL character';
  // An ordinary character here, a separator to some programs: nobody can tell what will be opened.
  if (text.includes('\\')) return 'it holds a backslash';
  return Buffer.byteLength(text) > MAX_PATH_BYTES ? 'it is too long' : null;
}

function isSpecial(path: string, root: string): boolean {
  return (
    SPECIAL.some((special) => containsPath(special, path)) &&
    !containsPath(path, root) &&
    !containsPath(root, path)
  );
}

function refused(because: string): ResolvedPath {
  return { kind: 'refused', because };
}
