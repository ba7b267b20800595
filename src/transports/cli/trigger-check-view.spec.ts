import { describe, expect, it } from '@jest/globals';
import { painter } from './paint.js';
import { triggerLines } from './trigger-check-view.js';

describe('triggerLines', () => {
  it('show the rank for each prompt, who stands before, and what says the same', () => {
    const check = {
      among: 12,
      prompts: [
        { prompt: 'tie a boat up', rank: 2, ahead: [{ slug: 'boats' }] },
        { prompt: 'first', rank: 1, ahead: [] },
        { prompt: 'bake bread', rank: null, ahead: [{ slug: 'a' }, { slug: 'b' }] },
      ],
      near_duplicates: [{ slug: 'hitches' }],
    };
    expect(triggerLines(check, null, painter(false))).toEqual([
      'rank       ahead  prompt',
      '2 of 12    boats  tie a boat up',
      '1 of 12    -      first',
      'not found  a, b   bake bread',
      'warning: hitches says nearly the same; a model can hardly choose between them',
    ]);
  });
});
