import { describe, expect, it } from '@jest/globals';
import { AnswerCache, type CachedAnswer } from './answer-cache.js';

const answer = (bytes: number, stamp = 'a', current = () => stamp): CachedAnswer => ({
  etag: `"${stamp}"`,
  bytes: Buffer.alloc(bytes),
  stamp,
  currentStamp: current,
});

describe('AnswerCache', () => {
  it('forgets an answer whose sources changed', () => {
    let now = 'a';
    const cache = new AnswerCache();
    cache.set(
      'x',
      answer(1, 'a', () => now),
    );
    expect(cache.get('x')?.etag).toBe('"a"');
    now = 'b';
    expect(cache.get('x')).toBeUndefined();
    now = 'a';
    expect(cache.get('x')).toBeUndefined();
  });

  it('drops the least recently asked beyond its bounds', () => {
    const cache = new AnswerCache(1600, 2);
    cache.set('a', answer(10));
    cache.set('b', answer(10));
    cache.get('a');
    cache.set('c', answer(10));
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true]);
  });

  it('does not keep one answer that would fill it', () => {
    const cache = new AnswerCache(1600);
    cache.set('big', answer(101));
    expect(cache.get('big')).toBeUndefined();
  });
});
