import { describe, expect, it } from '@jest/globals';
import { findUnstorable, MAX_JSON_DEPTH, nestsTooDeep } from './storable-json.js';

describe('what the database cannot hold', () => {
  it.each([
    ['a NUL in a text', { a: ['x\0'] }, '/a/0'],
    ['half of a surrogate pair', { a: { b: '\ud800' } }, '/a/b'],
    ['a NUL in a key', { 'a\0': 1 }, ''],
    ['a key of the prototype', JSON.parse('{"a":{"__proto__":1}}') as unknown, '/a'],
    ['a number that JSON cannot write', { a: Number.NaN }, '/a'],
  ])('is %s', (_title, value, pointer) => {
    expect(findUnstorable(value)).toMatchObject({ pointer });
  });

  it('is nesting without an end', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(findUnstorable(deep)?.because).toContain('deep');
  });

  it('is not an emoji, an empty text or null', () => {
    expect(findUnstorable({ a: ['👩‍🚀', '', null, true, 1.5], 'b/c': {} })).toBeNull();
  });

  it('is named by a pointer with escaped keys', () => {
    expect(findUnstorable({ 'a/b': { '~': '\0' } })).toMatchObject({ pointer: '/a~1b/~0' });
  });
});

describe('nestsTooDeep', () => {
  const nested = (levels: number): unknown =>
    JSON.parse('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2));

  it('allows nesting up to the limit, in lists and objects', () => {
    expect(nestsTooDeep('text')).toBe(false);
    expect(nestsTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(nestsTooDeep(nested(MAX_JSON_DEPTH + 2))).toBe(true);
  });

  it('answers for a value whose depth would exhaust the stack', () => {
    expect(nestsTooDeep(nested(100_000))).toBe(true);
  });
});
