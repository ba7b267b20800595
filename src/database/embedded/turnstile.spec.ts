import { describe, expect, it } from '@jest/globals';
import { Turnstile } from './turnstile.js';

describe('a turnstile', () => {
  it('lets one through at a time, in the order of arrival', async () => {
    const turnstile = new Turnstile(10_000);
    const order: number[] = [];
    await turnstile.enter();
    const others = [1, 2, 3].map(async (n) => {
      await turnstile.enter();
      order.push(n);
      turnstile.leave();
    });
    expect(order).toEqual([]);
    turnstile.leave();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
    expect(await turnstile.enter()).toBe(true);
  });

  it('turns away whoever waits too long, and nobody else', async () => {
    const turnstile = new Turnstile(5);
    await turnstile.enter();
    expect(await turnstile.enter()).toBe(false);
    turnstile.leave();
    expect(await turnstile.enter()).toBe(true);
  });
});
