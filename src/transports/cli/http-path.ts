import { type Route } from '../http/route.js';

/** Values that stand in a path or query; undefined ones are left out. */
export type HttpInput = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/**
 * The path and query that a GET route reads as `input`; the inverse of `inputOf` there. Null when the route
 * needs a parameter that the input lacks.
 *
 * @example httpPath(route, { id: 'custom/x', include: ['content', 'usage'] })
 * // '/v1/skills/custom%2Fx?include=content%2Cusage'
 */
export function httpPath(route: Pick<Route, 'path'>, input: HttpInput): string | null {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const segments: string[] = [];
  for (const segment of route.path.split('/')) {
    if (!segment.startsWith(':')) {
      segments.push(segment);
      continue;
    }
    const value = rest.get(segment.slice(1));
    if (value === undefined) return null;
    rest.delete(segment.slice(1));
    segments.push(encodeURIComponent(String(value)));
  }
  const query = new URLSearchParams();
  for (const [key, value] of rest)
    query.set(key, typeof value === 'object' ? value.join(',') : String(value));
  const text = query.toString();
  return segments.join('/') + (text === '' ? '' : `?${text}`);
}
