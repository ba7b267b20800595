/**
 * Tokens that a listed skill costs, by the rule that the thresholds of a listing are made for: a quarter of the
 * UTF-8 bytes of name and description and ten more for the markup, rounded down for each skill.
 *
 * @example estimateSkillTokens('pdf', 'Reads PDF files.') // 7
 */
export function estimateSkillTokens(name: string, description: string): number {
  return Math.floor((Buffer.byteLength(name) + Buffer.byteLength(description) + 10) / 4);
}

/** Tokens of any text by the same rule: a quarter of its UTF-8 bytes. */
export function estimateTokens(text: string): number {
  return Math.floor(Buffer.byteLength(text) / 4);
}

export type Tokenizer = 'estimate' | 'o200k';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

/**
 * The counter for a tokenizer. The vocabulary of `o200k` takes tens of megabytes, so it is loaded only here.
 *
 * @example const count = await loadTokenCounter('o200k'); count('hello world') // 2
 */
export async function loadTokenCounter(tokenizer: Tokenizer): Promise<TokenCounter> {
  if (tokenizer === 'estimate') return estimateTokens;
  const { countO200kTokens } = await import('./o200k-tokens.js');
  return countO200kTokens;
}
