/** BM25 over texts, without an index: slow, and easy to see right. Answers every document with a word, best first. */
export function linearBm25(documents, { k1 = 1.2, b = 0.75 } = {}) {
  const texts = documents.map(([id, text]) => ({ id, words: words(text) }));
  const average = texts.reduce((sum, text) => sum + text.words.length, 0) / texts.length;
  return (query) => {
    const scored = texts.map((text) => ({ id: text.id, score: 0, words: text.words }));
    for (const word of words(query)) {
      const holders = texts.filter((text) => text.words.includes(word)).length;
      const rarity = Math.log((texts.length - holders + 0.5) / (holders + 0.5) + 1);
      for (const text of scored) {
        const frequency = text.words.filter((other) => other === word).length;
        const length = text.words.length / average;
        text.score += (rarity * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
      }
    }
    return scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
  };
}

function words(text) {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => word.length > 1);
}
