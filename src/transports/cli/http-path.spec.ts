import { describe, expect, it } from '@jest/globals';
import { httpPath } from './http-path.js';

describe('the address of an operation', () => {
  it('keeps an id with a slash in one segment', () => {
    expect(httpPath({ path: '/v1/skills/:id' }, { id: 'custom/my skill' })).toBe(
      '/v1/skills/custom%2Fmy%20skill',
    );
  });

  it('puts everything else into the query, lists with commas', () => {
    const path = httpPath(
      { path: '/v1/workflows/:workflow_id/steps/:step_id/effective-skills' },
      { workflow_id: 'w', step_id: 'a?b', strict: true, include: ['listing', 'trace'], preset_id: undefined },
    );
    expect(path).toBe('/v1/workflows/w/steps/a%3Fb/effective-skills?strict=true&include=listing%2Ctrace');
  });

  it('says so when a parameter is missing', () => {
    expect(httpPath({ path: '/v1/skills/custom/:custom' }, { id: 'x' })).toBeNull();
  });
});
