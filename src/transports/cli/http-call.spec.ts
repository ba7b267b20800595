import { describe, expect, it } from '@jest/globals';
import { httpCall } from './http-call.js';

const get = (path: string) => ({ method: 'GET', path }) as const;

describe('httpCall', () => {
  it('puts parameters into the path, encoded, and the rest into the query', () => {
    const route = get('/v1/skills/:id');
    expect(httpCall(route, { id: 'custom/notes & more', include: ['content', 'usage'] })).toEqual({
      method: 'GET',
      path: '/v1/skills/custom%2Fnotes%20%26%20more?include=content%2Cusage',
    });
    expect(httpCall(route, { id: 'x', include: undefined })?.path).toBe('/v1/skills/x');
  });

  it('writes numbers and switches as text', () => {
    expect(httpCall(get('/v1/skills'), { limit: 5, hidden: true })?.path).toBe(
      '/v1/skills?limit=5&hidden=true',
    );
  });

  it('knows when a route does not fit the input', () => {
    expect(httpCall(get('/v1/skills/custom/:custom'), { id: 'custom/x' })).toBeNull();
  });

  it('puts what is not in the path into the body where the route takes one', () => {
    const route = { method: 'POST', path: '/v1/tools/:tool', body: 'keys' } as const;
    expect(httpCall(route, { tool: 'read_skill', name: 'pdf', path: undefined })).toEqual({
      method: 'POST',
      path: '/v1/tools/read_skill',
      body: '{"name":"pdf"}',
    });
  });

  it('sends one input as the whole body where the route says so', () => {
    const route = { method: 'POST', path: '/v1/things', body: { whole: 'thing' } } as const;
    expect(httpCall(route, { thing: { size: 3 } })?.body).toBe('{"size":3}');
  });
});
