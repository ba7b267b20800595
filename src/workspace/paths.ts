const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const MAX_SEGMENTS = 16;
// Controls, line and paragraph separators, surrogates without a partner.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

export type PathCheck =
  | { readonly kind: 'ok'; readonly segments: readonly string[] }
  | { readonly kind: 'unsafe'; readonly because: string };

/**
 * Judges a relative path that came from outside and splits it. Nothing is normalized: what would need it
 * is refused, so the path that was judged is the path that is opened.
 *
 * @example splitRelativePath('refs/part one.md') // { kind: 'ok', segments: ['refs', 'part one.md'] }
 */
export function splitRelativePath(path: string): PathCheck {
  if (path === '') return unsafe('it is empty');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return unsafe(`it is longer than ${MAX_PATH_BYTES} bytes`);
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return unsafe('it is absolute');
  if (path.includes('\\')) return unsafe('it holds a backslash');
  if (UNPRINTABLE.test(path)) return unsafe('it holds a control character');
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return unsafe(`it has more than ${MAX_SEGMENTS} segments`);
  for (const segment of segments) {
    if (segment === '') return unsafe('it has an empty segment');
    if (segment === '.' || segment === '..') return unsafe(`it has the segment "${segment}"`);
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return unsafe(`a segment is longer than ${MAX_SEGMENT_BYTES} bytes`);
    }
  }
  return { kind: 'ok', segments };
}

/**
 * Whether an absolute path without `.` and `..` is the root or lies below it, segment by segment:
 * `/a/pdf-x` does not lie below `/a/pdf`.
 */
export function containsPath(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function unsafe(because: string): PathCheck {
  return { kind: 'unsafe', because };
}
