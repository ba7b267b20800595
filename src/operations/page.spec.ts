import { describe, expect, it } from '@jest/globals';
import { pageOf } from './page.js';

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const self = (item: string): string => item;

describe('pageOf', () => {
  it('walks a list page by page and ends without a cursor', () => {
    const first = pageOf(letters, self, { limit: 3 });
    const second = pageOf(letters, self, { limit: 3, cursor: first.next_cursor! });
    const third = pageOf(letters, self, { limit: 3, cursor: second.next_cursor! });
    expect([first, second, third].map((page) => page.items.join(''))).toEqual(['abc', 'def', 'g']);
    expect(third.next_cursor).toBeNull();
    expect(first.total).toBe(7);
  });

  it('goes on at the right place when the last item has gone', () => {
    const { next_cursor } = pageOf(letters, self, { limit: 3 });
    const without = letters.filter((letter) => letter !== 'c');
    expect(pageOf(without, self, { limit: 2, cursor: next_cursor! }).items).toEqual(['d', 'e']);
  });

  it('refuses a cursor of somewhere else', () => {
    expect(() => pageOf(letters, self, { cursor: 'nonsense' })).toThrow(/cursor/);
  });
});
