/** A word with its vector and how often it occurs among all words. */
export interface WordVector {
  readonly word: string;
  readonly share: number;
  readonly vector: readonly number[];
}

/** The vectors of many words, as `scripts/make-word-vectors.mjs` writes them: one signed byte a number. */
export interface WordVectors {
  readonly dimension: number;
  has(word: string): boolean;
  /**
   * Vector of a text: its words, rare ones weighing more. Its length is 1 when every word is known, and less as far as
   * words are missing, so that nothing is near to a text that is not understood. Null when no word is known.
   *
   * @param words folded, as `wordsOf` gives them
   */
  textVector(words: readonly string[]): Float32Array | null;
}

const MAGIC = 'SKWV';
const HEADER_BYTES = 12;
/** Words with about this share of all words get half of the weight of rare ones. */
const HALF_WEIGHT_SHARE = 1e-3;

/**
 * Layout, little-endian: magic, count, dimension; words, each with its length in front; then from the next multiple of
 * four on shares and scales as 32-bit floats; the numbers.
 */
export function encodeWordVectors(words: readonly WordVector[]): Buffer {
  const dimension = words[0]?.vector.length ?? 0;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(words.length, 4);
  header.writeUInt32LE(dimension, 8);
  const names = words.map(({ word }) => {
    const bytes = Buffer.from(word);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const text = Buffer.concat([header, ...names]);
  const floats = Buffer.alloc(words.length * 8);
  const numbers = Buffer.alloc(words.length * dimension);
  words.forEach(({ share, vector }, at) => {
    const scale = Math.max(...vector.map(Math.abs)) / 127;
    floats.writeFloatLE(share, at * 4);
    floats.writeFloatLE(scale, (words.length + at) * 4);
    vector.forEach((value, n) =>
      numbers.writeInt8(scale === 0 ? 0 : Math.round(value / scale), at * dimension + n),
    );
  });
  return Buffer.concat([text, Buffer.alloc(padding(text.length)), floats, numbers]);
}

/** Reads what {@link encodeWordVectors} wrote. @throws RangeError when the bytes are not that */
export function decodeWordVectors(bytes: Buffer): WordVectors {
  if (bytes.toString('latin1', 0, 4) !== MAGIC) throw new RangeError('these are no word vectors');
  const count = bytes.readUInt32LE(4);
  const dimension = bytes.readUInt32LE(8);
  const places = new Map<string, number>();
  let at = HEADER_BYTES;
  for (let n = 0; n < count; n += 1) {
    const end = at + 1 + bytes.readUInt8(at);
    places.set(bytes.toString('utf8', at + 1, end), n);
    at = end;
  }
  const floatsAt = at + padding(at);
  const numbersAt = floatsAt + count * 8;
  if (bytes.length !== numbersAt + count * dimension) throw new RangeError('the word vectors are cut short');
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + numbersAt, count * dimension);
  return {
    dimension,
    has: (word) => places.has(word),
    textVector(words) {
      const sum = new Float32Array(dimension);
      let known = 0;
      for (const word of words) {
        const place = places.get(word);
        if (place === undefined) continue;
        known += 1;
        const share = bytes.readFloatLE(floatsAt + place * 4);
        const scale = bytes.readFloatLE(floatsAt + (count + place) * 4);
        const weight = scale * (HALF_WEIGHT_SHARE / (HALF_WEIGHT_SHARE + share));
        const start = place * dimension;
        for (let n = 0; n < dimension; n += 1) sum[n] = (sum[n] ?? 0) + weight * (numbers[start + n] ?? 0);
      }
      const direction = unit(sum);
      const understood = Math.sqrt(known / words.length);
      return direction && direction.map((value) => value * understood);
    },
  };
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}

/** The vector with length 1; null when it has none. */
export function unit(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares > 0 && Number.isFinite(squares) ? vector.map((value) => value / Math.sqrt(squares)) : null;
}
