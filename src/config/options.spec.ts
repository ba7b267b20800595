import { describe, expect, it } from '@jest/globals';
import { optionLeaves } from './describe-options.js';
import { optionsFromEnv } from './options-from-env.js';
import { mergeOptions, resolveOptions } from './resolve-options.js';

describe('options', () => {
  it('has a default for everything but what names something outside', () => {
    const without = optionLeaves().filter((leaf) => leaf.defaultValue === undefined);
    expect(without.map((leaf) => leaf.path)).toEqual([
      'database.url',
      'bundled.dir',
      'search.wordVectors',
      'search.endpointUrl',
      'search.endpointKey',
      'search.endpointDimension',
      'github.token',
    ]);
  });

  it('describes every option', () => {
    expect(optionLeaves().filter((leaf) => leaf.description === '')).toEqual([]);
  });

  it('names a wrong option by its path', () => {
    expect(() => resolveOptions({ http: { port: 'x' } })).toThrow(/http\.port/);
    expect(() => resolveOptions({ htpp: {} })).toThrow(/htpp/);
  });

  it('reads the environment by mechanical names and the stated exceptions', () => {
    const { input, findings } = optionsFromEnv({
      SKILLWRIGHT_HTTP_PORT: '0',
      SKILLWRIGHT_AUTH_DISABLED: 'true',
      DATABASE_URL: 'postgres://localhost/x',
      SKILLWRIGHT_PATH: '/a:/b',
      SKILLWRIGHT_TYPO: '1',
    });
    expect(resolveOptions(input)).toMatchObject({
      http: { port: 0, host: '127.0.0.1' },
      auth: { disabled: true },
      database: { url: 'postgres://localhost/x' },
      discovery: { path: ['/a', '/b'] },
    });
    expect(findings).toMatchObject([{ code: 'environment_unknown', field: 'SKILLWRIGHT_TYPO' }]);
  });

  it('marks what must not be shown as a secret', () => {
    expect(
      optionLeaves()
        .filter((leaf) => leaf.secret)
        .map((leaf) => leaf.path),
    ).toEqual(['database.url', 'search.endpointKey', 'github.token', 'github.hosts']);
  });

  it('merges two inputs key by key', () => {
    expect(mergeOptions({ http: { port: 1, host: 'a' } }, { http: { port: 2 } })).toEqual({
      http: { port: 2, host: 'a' },
    });
  });
});
