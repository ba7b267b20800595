import { describe, expect, it } from '@jest/globals';
import { editDistance } from './edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['anchor', 'anchor', 2, 0],
    ['anchor', 'anhcor', 2, 1],
    ['anchor', 'ancho', 2, 1],
    ['anchor', 'anchors', 2, 1],
    ['anchor', 'enchors', 2, 2],
    ['', 'ab', 2, 2],
    ['anchor', 'mooring', 2, 3],
    ['ab', 'abcdefgh', 2, 3],
  ])('from %j to %j, at most %i, is %i', (a, b, most, distance) => {
    expect(editDistance(a, b, most)).toBe(distance);
    expect(editDistance(b, a, most)).toBe(distance);
  });
});
