import { describe, expect, it } from '@jest/globals';
import { skillEntry } from '../../../test/support/skill-entries.js';
import { type SkillContent } from '../discovery/skill-entry.js';
import { ContentCache } from './content-cache.js';

const content = (length: number): SkillContent => ({
  digest: '',
  fileHash: '',
  body: 'x'.repeat(length),
  files: [],
  findings: [],
});

describe('ContentCache', () => {
  it('drops the least recently used content when it is full', () => {
    const cache = new ContentCache(3000);
    const [a, b, c] = [skillEntry({ slug: 'a' }), skillEntry({ slug: 'b' }), skillEntry({ slug: 'c' })];
    cache.set(a, content(800));
    cache.set(b, content(800));
    cache.get(a);
    cache.set(c, content(800));
    expect([a, b, c].map((entry) => cache.get(entry) !== undefined)).toEqual([true, false, true]);
  });

  it('keeps a content that is larger than the whole cache', () => {
    const cache = new ContentCache(100);
    const entry = skillEntry({ slug: 'a' });
    cache.set(entry, content(1000));
    expect(cache.get(entry)?.body).toHaveLength(1000);
  });
});
