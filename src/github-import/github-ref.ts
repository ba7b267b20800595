/** One way to read an address: this ref, and the path below it. */
export interface RefAndPath {
  readonly ref: string | null;
  readonly path: string;
}

/** Each way costs a request to find out, so no more than any real branch needs. */
const MAX_REF_SEGMENTS = 10;

/**
 * Every way in which the segments may be a ref and a path, shortest ref first.
 *
 * @param first segments that belong to the ref in any case; more than one when its slashes were encoded, and then
 *   it is the whole ref.
 * @example splitRefAndPath(['main'], ['a']) // [{ ref: 'main', path: 'a' }, { ref: 'main/a', path: '' }]
 */
export function splitRefAndPath(first: readonly string[], rest: readonly string[]): RefAndPath[] {
  const all = [...first, ...rest];
  const qualified = all[0] === 'refs' && (all[1] === 'heads' || all[1] === 'tags') ? 2 : 0;
  const isWhole = first.length > 1;
  const from = isWhole ? first.length : qualified + 1;
  const to = isWhole ? first.length : Math.min(all.length, qualified + MAX_REF_SEGMENTS);
  const ways: RefAndPath[] = [];
  for (let cut = from; cut <= to; cut += 1) {
    const ref = all.slice(qualified, cut).join('/');
    const path = all.slice(cut).join('/');
    if (isRef(ref) && !path.startsWith('-')) ways.push({ ref, path });
  }
  return ways;
}

/** What git accepts as the name of a branch or tag, or a commit. */
export function isRef(ref: string): boolean {
  if (ref === '' || Buffer.byteLength(ref) > 255 || /[\s\p{Cc}~^:?*[\\]/u.test(ref)) return false;
  if (ref.includes('..') || ref.includes('@{') || ref === '@') return false;
  return ref
    .split('/')
    .every(
      (part) =>
        part !== '' && !/^[-.]/.test(part) && !part.endsWith('.') && !part.toLowerCase().endsWith('.lock'),
    );
}
