import { type Route } from '../http/route.js';

/** What is sent to a running service. */
export interface HttpCall {
  readonly method: Route['method'];
  /** With the query. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
}

/**
 * The call that a route reads as `input`; the inverse of `inputOf` there. Undefined values are left out. Null when
 * the route needs a parameter that the input lacks.
 *
 * @example httpCall(route, { id: 'custom/x', include: ['content', 'usage'] })
 * // { method: 'GET', path: '/v1/skills/custom%2Fx?include=content%2Cusage' }
 */
export function httpCall(
  { method, path: pattern, body }: Pick<Route, 'method' | 'path' | 'body'>,
  input: Readonly<Record<string, unknown>>,
): HttpCall | null {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const segments: string[] = [];
  for (const segment of pattern.split('/')) {
    if (!segment.startsWith(':')) {
      segments.push(segment);
      continue;
    }
    const value = rest.get(segment.slice(1));
    if (value === undefined) return null;
    rest.delete(segment.slice(1));
    segments.push(encodeURIComponent(queryText(value)));
  }
  const path = segments.join('/');
  if (body === 'keys') return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  if (typeof body === 'object' && 'whole' in body) {
    return { method, path, body: JSON.stringify(rest.get(body.whole)) };
  }
  const query = new URLSearchParams();
  for (const [key, value] of rest) query.set(key, queryText(value));
  const text = query.toString();
  return { method, path: path + (text === '' ? '' : `?${text}`) };
}

function queryText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
