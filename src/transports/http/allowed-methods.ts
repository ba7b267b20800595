import { type Route } from './route.js';

/** The methods that some route has at this path, without query; empty when there is none. */
export function allowedMethods(routes: readonly Pick<Route, 'method' | 'path'>[], path: string): string[] {
  const segments = path.split('/');
  const methods = new Set<string>();
  for (const route of routes) {
    if (!matches(route.path.split('/'), segments)) continue;
    methods.add(route.method);
    if (route.method === 'GET') methods.add('HEAD');
  }
  return Array.from(methods).sort();
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.at(-1)?.startsWith('*') ? pattern.length - 1 : null;
  if (rest === null ? segments.length !== pattern.length : segments.length <= rest) return false;
  return pattern.slice(0, rest ?? pattern.length).every((part, index) => {
    const segment = segments[index] ?? '';
    return part.startsWith(':') ? segment !== '' : part === segment;
  });
}
