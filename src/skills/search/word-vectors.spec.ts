import { describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from './builtin-embedder.js';
import { decodeWordVectors, encodeWordVectors, unit } from './word-vectors.js';

const WORDS = [
  { word: 'rope', share: 1e-5, vector: [1, 0, 0.5] },
  { word: 'hurt', share: 1e-5, vector: [0, -2, 0] },
  { word: 'the', share: 0.05, vector: [0, 0, 3] },
  { word: 'nil', share: 1e-5, vector: [0, 0, 0] },
];
const bytes = encodeWordVectors(WORDS);
const vectors = decodeWordVectors(bytes);

function textVector(...words: string[]): number[] | null {
  const vector = vectors.textVector(words);
  return vector && Array.from(vector, (value) => Number(value.toFixed(2)));
}

describe('word vectors', () => {
  it('come back as they were written, to one part in a hundred', () => {
    expect(vectors.dimension).toBe(3);
    expect([vectors.has('rope'), vectors.has('ropes')]).toEqual([true, false]);
    expect(textVector('rope')).toEqual([0.89, 0, 0.45]);
    expect(textVector('hurt')).toEqual([0, -1, 0]);
  });

  it('weigh a rare word more than a frequent one', () => {
    const [x = 0, , z = 0] = textVector('rope', 'the')!;
    expect(x).toBeGreaterThan(z);
  });

  it('say less of a text of which words are unknown, and nothing where all are', () => {
    expect(textVector('rope', 'xyzzy')).toEqual([0.63, 0, 0.32]);
    expect(textVector('xyzzy')).toBeNull();
    expect(textVector('nil')).toBeNull();
    expect(textVector()).toBeNull();
  });

  it('are refused when they are something else or cut short', () => {
    expect(() => decodeWordVectors(Buffer.from('no vectors at all'))).toThrow('no word vectors');
    expect(() => decodeWordVectors(bytes.subarray(0, -1))).toThrow('cut short');
  });
});

describe('unit', () => {
  it('is of length 1, or null where there is no direction', () => {
    expect(Array.from(unit(Float32Array.of(3, 4))!, (value) => Number(value.toFixed(3)))).toEqual([0.6, 0.8]);
    expect(unit(Float32Array.of(0, 0))).toBeNull();
    expect(unit(Float32Array.of(Infinity, 0))).toBeNull();
  });
});

describe('the built-in embedder', () => {
  it('loads the vectors when they are first needed, and once', async () => {
    let loads = 0;
    const embedder = builtinEmbedder(() => {
      loads += 1;
      return vectors;
    });
    expect(embedder.isWord('rope')).toBe(false);
    expect((await embedder.embed(['The ropes and the rope', 'xyzzy'])).vectors.map(Boolean)).toEqual([
      true,
      false,
    ]);
    await embedder.embed(['rope']);
    expect(loads).toBe(1);
  });

  it('knows words and their forms', async () => {
    const embedder = builtinEmbedder(() => vectors);
    await embedder.embed([]);
    expect(['rope', 'hurts', 'hunts'].map((word) => embedder.isWord(word))).toEqual([true, true, false]);
  });
});
