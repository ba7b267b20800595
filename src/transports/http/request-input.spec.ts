import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { inputOf } from './request-input.js';
import { get, patch, post } from './route.js';

const operation = {
  name: 'things.get',
  summary: 'A thing.',
  input: z.strictObject({
    id: z.string().optional(),
    limit: z.number().optional(),
    strict: z.boolean().default(false),
    include: z.array(z.string()).optional(),
    patch: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.null(),
};
const reading = get('/v1/things/:id', operation);
const nothing = { params: {}, query: '', body: undefined };

describe('inputOf', () => {
  it('types query values by the kinds of the operation', () => {
    const query = 'limit=20&strict=true&include=a,b&include=c';
    expect(inputOf(reading, { ...nothing, query })).toEqual({
      limit: 20,
      strict: true,
      include: ['a', 'b', 'c'],
    });
  });

  it('leaves a wrong value for the schema to judge', () => {
    const input = inputOf(reading, { ...nothing, query: 'limit=many&strict=perhaps' });
    expect(input).toEqual({ limit: 'many', strict: 'perhaps' });
    expect(operation.input.safeParse(input).success).toBe(false);
  });

  it('reads the plain form of a custom skill and the rest of a path', () => {
    const params = { custom: 'notes', path: ['a', 'b/c.md'] };
    expect(inputOf(reading, { ...nothing, params })).toEqual({ id: 'custom/notes', path: 'a/b/c.md' });
  });

  it('refuses a key that stands twice', () => {
    expect(() => inputOf(reading, { ...nothing, query: 'limit=1&limit=2' })).toThrow(/limit/);
    expect(() => inputOf(reading, { ...nothing, params: { id: 'x' }, query: 'id=y' })).toThrow(/id/);
  });

  it('keeps a nested key as the text it is, so that the schema refuses it', () => {
    expect(inputOf(reading, { ...nothing, query: 'id[x]=1' })).toEqual({ 'id[x]': '1' });
  });

  it('takes a body by its keys or whole', () => {
    const body = { id: 'a', limit: 3 };
    expect(inputOf(post('/v1/things', operation, { body: 'keys' }), { ...nothing, body })).toEqual(body);
    const whole = patch('/v1/things/:id', operation, { body: { whole: 'patch' } });
    expect(inputOf(whole, { ...nothing, body })).toEqual({ patch: body });
  });

  it('refuses a body that is no object, or that nobody reads', () => {
    expect(() => inputOf(post('/v1/things', operation, { body: 'keys' }), { ...nothing, body: [1] })).toThrow(
      /object/,
    );
    expect(() => inputOf(reading, { ...nothing, body: {} })).toThrow(/takes none/);
  });

  it('does not let a body reach the prototype', () => {
    const body = JSON.parse('{"__proto__":{"polluted":true}}') as unknown;
    const input = inputOf(post('/v1/things', operation, { body: 'keys' }), { ...nothing, body });
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(operation.input.safeParse(input).success).toBe(false);
  });
});
