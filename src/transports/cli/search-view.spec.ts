import { describe, expect, it } from '@jest/globals';
import { painter } from './paint.js';
import { searchLines } from './search-view.js';

const plain = painter(false);
const hit = { slug: 'knots', description: 'Ties\nropes.', score: 1.234, matched_terms: ['ropes', 'tie'] };

describe('searchLines', () => {
  it('shows one line a hit', () => {
    expect(searchLines([hit], null, plain)).toEqual([
      'skill  score  matched    description',
      expect.stringMatching(/^knots {2}1\.23 {3}ropes tie {2}Ties/),
    ]);
  });

  it('says what was taken for what, and how much it counts', () => {
    const terms = [
      { word: 'ropes', found: 'ropes', how: 'word', score: 1 },
      { word: 'tei', found: 'tie', how: 'typo', score: 0.234 },
    ];
    const lines = searchLines([{ ...hit, explain: { named: true, cosine: 0.5, terms } }], null, plain);
    expect(lines[1]).toContain('name, ropes 1.00, tei (typo: tie) 0.23, near 0.50');
  });

  it('says that nothing was found', () => {
    expect(searchLines([], 80, plain)).toEqual(['no skill matches']);
  });
});
