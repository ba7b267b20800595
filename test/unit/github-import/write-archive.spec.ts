import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openArchive } from '../../../src/github-import/archive/archive.adapter.js';
import { ARCHIVE_FORMATS, writeArchive } from '../../../src/github-import/archive/write-archive.adapter.js';

const LIMITS = { entries: 100, fileBytes: 1e6, totalBytes: 1e7 };

describe.each(ARCHIVE_FORMATS)('an exported %s', (format) => {
  it('comes in again as it went out: paths, modes and bytes', async () => {
    const segment = fc.stringMatching(/^[a-z0-9é说 _-]{1,40}$/).map((text) => `n${text.trim()}`);
    const file = fc.record({
      path: fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/')),
      mode: fc.constantFrom('0644' as const, '0755' as const),
      bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, { maxLength: 8, selector: ({ path }) => path.split('/')[0] }),
        async (files) => {
          const archive = await openArchive(writeArchive(files, format), LIMITS);
          expect(
            archive.members.map(({ path, mode }) => ({ path, mode, bytes: archive.read(path) })),
          ).toEqual(files);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is the same bytes for the same files', () => {
    const files = [{ path: 'tool/SKILL.md', mode: '0644' as const, bytes: Buffer.from('x') }];
    expect(writeArchive(files, format).equals(writeArchive(files, format))).toBe(true);
  });
});
