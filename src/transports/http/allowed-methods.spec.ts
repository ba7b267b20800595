import { describe, expect, it } from '@jest/globals';
import { allowedMethods } from './allowed-methods.js';

const routes = [
  { method: 'GET', path: '/v1/presets' },
  { method: 'POST', path: '/v1/presets' },
  { method: 'PUT', path: '/v1/presets/:id' },
  { method: 'GET', path: '/v1/skills/:id/files/*path' },
] as const;

describe('allowedMethods', () => {
  it.each([
    ['/v1/presets', ['GET', 'HEAD', 'POST']],
    ['/v1/presets/x', ['PUT']],
    ['/v1/skills/x/files/a/b', ['GET', 'HEAD']],
    ['/v1/skills/x/files', []],
    ['/v1/presets/', []],
    ['/elsewhere', []],
  ])('knows what %s allows', (path, methods) => {
    expect(allowedMethods(routes, path)).toEqual(methods);
  });
});
