/** Why a value cannot be stored, and where in it. */
export interface UnstorablePlace {
  /** JSON pointer to the value, or to the object whose key is at fault: `/selected_skills/2`. */
  readonly pointer: string;
  readonly because: string;
}

/** Deepest nesting of a JSON value that is taken from a caller or a file. */
export const MAX_JSON_DEPTH = 64;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Finds what PostgreSQL refuses in text and jsonb (NUL, lone surrogates), a key that would reach an object's
 * prototype, and nesting that would exhaust the stack of whoever reads the value. Null when all is well.
 *
 * @example findUnstorable({ a: ['x\0'] }) // { pointer: '/a/0', because: 'the text holds a NUL character' }
 */
export function findUnstorable(value: unknown): UnstorablePlace | null {
  return visit(value, '', 0);
}

/**
 * Whether a value is nested so deep that code which recurses into it could exhaust the stack.
 *
 * @example nestsTooDeep({ a: [1] }) // false
 */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_JSON_DEPTH || Object.values(value).some((inner) => nestsTooDeep(inner, depth + 1));
}

function visit(value: unknown, pointer: string, depth: number): UnstorablePlace | null {
  if (depth > MAX_JSON_DEPTH)
    return { pointer, because: `the value is nested more than ${MAX_JSON_DEPTH} levels deep` };
  if (typeof value === 'string') return place(pointer, textProblem(value));
  if (typeof value === 'number') {
    return place(pointer, Number.isFinite(value) ? null : 'the number is not finite');
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = place(pointer, keyProblem(key)) ?? visit(inner, `${pointer}/${escapeKey(key)}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function place(pointer: string, because: string | null): UnstorablePlace | null {
  return because === null ? null : { pointer, because };
}

function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'the text holds a NUL character';
  return LONE_SURROGATE.test(text) ? 'the text holds half of a surrogate pair' : null;
}

function keyProblem(key: string): string | null {
  if (key === '__proto__') return 'the key __proto__ is not safe to keep';
  const problem = textProblem(key);
  return problem === null ? null : problem.replace('the text', 'a key');
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * The value with what PostgreSQL refuses replaced by U+FFFD, for a copy that is searched and shown beside the
 * original bytes.
 */
export function storableCopy<T>(value: T): T {
  return (findUnstorable(value) === null ? value : copy(value)) as T;
}

function copy(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/[\0\p{Cs}]/gu, '\uFFFD');
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [copy(key === '__proto__' ? '\uFFFD' : key), copy(inner)]),
  );
}
