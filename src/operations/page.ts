import { z } from 'zod';
import { SkillwrightError } from '../kernel/errors.js';

/** Lists answer everything up to this many items when no limit is given. */
export const MAX_PAGE = 1000;

/** The two inputs of every list. */
export const pageInput = {
  limit: z.number().int().min(1).max(MAX_PAGE).optional().describe('Items at most.'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before.'),
};

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/**
 * Cuts one page out of a sorted list. A cursor names the last key of the page before, so a page stays right
 * when items come and go between two calls.
 *
 * @throws SkillwrightError `bad_request` for a cursor that is not ours.
 */
export function pageOf<T>(
  sorted: readonly T[],
  key: (item: T) => string,
  { limit = MAX_PAGE, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Page<T> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const start = after === null ? 0 : firstAfter(sorted, key, after);
  const items = sorted.slice(start, start + limit);
  const last = items.at(-1);
  const more = start + items.length < sorted.length && last !== undefined;
  return { items, total: sorted.length, next_cursor: more ? encodeCursor(key(last)) : null };
}

function firstAfter<T>(sorted: readonly T[], key: (item: T) => string, after: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && key(item) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

function encodeCursor(key: string): string {
  return Buffer.from(`k:${key}`).toString('base64url');
}

function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith('k:')) {
    throw new SkillwrightError('bad_request', {
      field: 'cursor',
      detail: 'cursor: not a cursor of this list',
    });
  }
  return text.slice(2);
}
