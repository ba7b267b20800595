import { type Embedder } from './embedder.js';
import { stemEnglish } from './porter2.js';
import { STOP_WORDS } from './stop-words.js';
import { wordsOf } from './words.js';
import { type WordVectors } from './word-vectors.js';

/**
 * The least cosine at which none of the nonsense queries of the labelled set is answered; a change of the vectors asks
 * for a new one.
 */
const LEAST_COSINE = 0.38;
/** Above the nearest two of the labelled set that are not the same. */
const TWIN_COSINE = 0.78;

/**
 * Texts as the mean of the vectors of their words.
 *
 * @param load called when the vectors are first needed; what it throws, `embed` throws
 */
export function builtinEmbedder(load: () => WordVectors): Embedder {
  let loaded: WordVectors | null = null;
  return {
    batch: 32,
    leastCosine: LEAST_COSINE,
    twinCosine: TWIN_COSINE,
    isWord: (word) => loaded !== null && (loaded.has(word) || loaded.has(stemEnglish(word))),
    embed(texts) {
      const vectors = (loaded ??= load());
      return {
        model: 'built-in word vectors',
        vectors: texts.map((text) =>
          vectors.textVector(wordsOf(text, 'query').filter((word) => !STOP_WORDS.has(word))),
        ),
      };
    },
  };
}
