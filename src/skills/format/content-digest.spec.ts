import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentDigest, type DigestedFile } from './content-digest.js';

const file = (path: string, facts: Partial<DigestedFile> = {}): DigestedFile => ({
  path,
  mode: '0644',
  size: 1,
  sha256: 'a'.repeat(64),
  ...facts,
});

describe('contentDigest', () => {
  it('never changes for the same content', () => {
    expect(contentDigest([file('SKILL.md', { size: 3 }), file('scripts/run.sh', { mode: '0755' })])).toBe(
      'sha256:d5a03194532af8d27748b03a52fe2bf9a520eb4607e01c8811edc738e4545f96',
    );
    expect(contentDigest([])).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('does not depend on the order of reading', () => {
    const files = ['b', 'a/c', 'a', 'a-b', 'Z', 'é', '\u{1f600}', '\uffee'].map((path) => file(path));
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (shuffled) => {
        expect(contentDigest(shuffled)).toBe(contentDigest(files));
      }),
    );
  });

  it('differs when a path, mode, size or content differs, or a file is there or not', () => {
    const variants = [
      [],
      [file('a')],
      [file('b')],
      [file('a', { mode: '0755' })],
      [file('a', { size: 2 })],
      [file('a', { sha256: 'b'.repeat(64) })],
      [file('a'), file('b')],
      [file('a,4:0644,1:1')],
    ];
    expect(new Set(variants.map(contentDigest)).size).toBe(variants.length);
  });
});
