import { describe, expect, it } from '@jest/globals';
import { stemEnglish } from './porter2.js';

// One word or more for each rule and exception of the published description.
const STEMS: Readonly<Record<string, string>> = {
  by: 'by',
  caresses: 'caress',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  gaps: 'gap',
  focus: 'focus',
  agreed: 'agre',
  exceed: 'exceed',
  feed: 'feed',
  proceeding: 'proceed',
  luxuriated: 'luxuri',
  hoping: 'hope',
  hopping: 'hop',
  adding: 'add',
  egged: 'egg',
  dying: 'die',
  outing: 'outing',
  sing: 'sing',
  cry: 'cri',
  say: 'say',
  enjoyment: 'enjoy',
  yearly: 'year',
  conditional: 'condit',
  valency: 'valenc',
  organization: 'organiz',
  generalization: 'general',
  hopefulness: 'hope',
  formality: 'formal',
  sensibility: 'sensibl',
  geology: 'geolog',
  geologist: 'geolog',
  quickly: 'quick',
  formative: 'format',
  electrical: 'electr',
  triplicate: 'triplic',
  replacement: 'replac',
  adoption: 'adopt',
  revival: 'reviv',
  controlling: 'control',
  rate: 'rate',
  cease: 'ceas',
  skies: 'sky',
  news: 'news',
  early: 'earli',
  universe: 'univers',
  university: 'universiti',
  interesting: 'interest',
  pasted: 'paste',
  constructor: 'constructor',
};

describe('stemEnglish', () => {
  it.each(Object.entries(STEMS))('makes %j %j', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  it('gives the forms of a word one stem', () => {
    expect(new Set(['review', 'reviews', 'reviewed', 'reviewing'].map(stemEnglish)).size).toBe(1);
  });
});
