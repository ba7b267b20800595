import { describe, expect, it } from '@jest/globals';
import { estimateSkillTokens, estimateTokens, loadTokenCounter } from './tokens.js';

describe('the estimate', () => {
  it('is a quarter of the bytes of name and description and ten, rounded down', () => {
    expect(estimateSkillTokens('', '')).toBe(2);
    expect(estimateSkillTokens('abc', 'defg')).toBe(4);
    expect(estimateSkillTokens('书', '架')).toBe(4);
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('seven..')).toBe(1);
  });

  it('is what the counter of that name counts', async () => {
    expect((await loadTokenCounter('estimate'))('a'.repeat(9))).toBe(2);
  });
});

describe('the o200k counter', () => {
  it('counts by its vocabulary and takes control tokens for text', async () => {
    const count = await loadTokenCounter('o200k');
    expect(count('')).toBe(0);
    expect(count('hello world')).toBe(2);
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts a very long run without a blank in pieces', async () => {
    const count = await loadTokenCounter('o200k');
    const started = performance.now();
    expect(count('a'.repeat(200_000))).toBeGreaterThan(1_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
