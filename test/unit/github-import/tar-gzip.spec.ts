import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { SkillwrightError } from '../../../src/kernel/errors.js';
import { openArchive } from '../../../src/github-import/archive/archive.adapter.js';
import { TarParser } from '../../../src/github-import/archive/tar-parser.js';
import { paxPath, type TarEntry, tarGzipOf, tarOf } from '../../support/tar-bytes.js';

const LIMITS = { entries: 20, fileBytes: 100_000, totalBytes: 200_000 };
const SKILL: TarEntry = { name: 'tool/SKILL.md', data: '---\nname: tool\ndescription: d\n---\n' };

async function refusal(bytes: Buffer): Promise<string> {
  try {
    await openArchive(bytes, LIMITS);
    return 'accepted';
  } catch (error) {
    if (SkillwrightError.is(error)) return error.code;
    throw error;
  }
}

describe('a tar.gz archive', () => {
  it('gives files with their bytes and modes, whatever tar wrote them', async () => {
    const long = `tool/${'deep/'.repeat(12)}${'n'.repeat(60)}.md`;
    const archive = await openArchive(
      tarGzipOf([
        {
          name: 'pax_global_header',
          type: 'g',
          data: '52 comment=0123456789abcdef0123456789abcdef01234567\n',
        },
        { name: './', type: '5' },
        { name: './tool/', type: '5', mode: 0o755 },
        { ...SKILL, name: './tool/SKILL.md' },
        { name: 'tool/run.sh', data: '#!/bin/sh\n', mode: 0o755 },
        paxPath(long),
        { name: 'short', data: 'renamed' },
        { name: '././@LongLink', type: 'L', data: 'tool/long name.md\0' },
        { name: 'tool/long na', data: 'gnu' },
      ]),
      LIMITS,
    );
    expect(archive.members.map(({ path, mode }) => [path, mode])).toEqual([
      ['tool/SKILL.md', '0644'],
      ['tool/run.sh', '0755'],
      [long, '0644'],
      ['tool/long name.md', '0644'],
    ]);
    expect(archive.read(long).toString()).toBe('renamed');
  });

  it.each<[string, readonly TarEntry[], string]>([
    ['a path that climbs', [{ name: '../x' }], 'archive_path_unsafe'],
    ['an absolute path', [{ name: '/etc/x' }], 'archive_path_unsafe'],
    ['a climbing path in an extended header', [paxPath('../x'), { name: 'x' }], 'archive_path_unsafe'],
    ['a link', [{ name: 'x', type: '2', linkName: '/etc/passwd' }], 'archive_entry_type'],
    ['a hard link', [{ name: 'x', type: '1', linkName: 'tool/SKILL.md' }], 'archive_entry_type'],
    ['a device', [{ name: 'x', type: '3' }], 'archive_entry_type'],
    ['a pipe', [{ name: 'x', type: '6' }], 'archive_entry_type'],
    ['the same path twice', [SKILL], 'archive_duplicate_entry'],
    ['another case', [{ name: 'tool/skill.MD' }], 'archive_duplicate_entry'],
    ['a wrong checksum', [{ name: 'x', checksum: 1 }], 'archive_invalid'],
    ['a damaged extended header', [{ name: 'p', type: 'x', data: '99 path=x\n' }], 'archive_invalid'],
    ['a file that is too large', [{ name: 'x', data: Buffer.alloc(100_001) }], 'archive_too_large'],
    ['a size that is too large', [{ name: 'x', size: 8_000_000_000 }], 'archive_too_large'],
    [
      'too much in all',
      ['x', 'y', 'z'].map((name) => ({ name, data: Buffer.alloc(90_000) })),
      'archive_too_large',
    ],
    [
      'too many entries',
      Array.from({ length: 20 }, (_, index) => ({ name: `f${index}` })),
      'archive_too_many_entries',
    ],
  ])('is refused for %s', async (_kind, entries, code) => {
    expect(await refusal(tarGzipOf([SKILL, ...entries]))).toBe(code);
  });

  it('is refused when cut, when bytes follow its end, or when it unpacks without end', async () => {
    const whole = tarGzipOf([SKILL]);
    expect(await refusal(whole.subarray(0, whole.length - 10))).toBe('archive_invalid');
    expect(await refusal(gzipSync(tarOf([SKILL]).subarray(0, 600)))).toBe('archive_invalid');
    expect(await refusal(tarGzipOf([SKILL], Buffer.alloc(0)))).toBe('archive_invalid');
    const more = Buffer.concat([Buffer.alloc(1024), tarOf([{ name: 'hidden' }])]);
    expect(await refusal(tarGzipOf([SKILL], more))).toBe('archive_invalid');
    expect(await refusal(tarGzipOf([SKILL], Buffer.alloc(2_000_000)))).toBe('archive_too_large');
    expect(await refusal(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]))).toBe('archive_invalid');
    expect(await refusal(Buffer.alloc(0))).toBe('archive_invalid');
  });

  it('is read the same however its bytes arrive', () => {
    const bytes = tarOf([
      SKILL,
      { name: 'a', data: 'x'.repeat(700) },
      paxPath('b/c'),
      { name: 'b', data: 'y' },
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }), (sizes) => {
        const taken: [string, string][] = [];
        const parser = new TarParser({
          choose: () => 'take',
          take: ({ name }, data) => taken.push([name, data.toString()]),
        });
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          expect(parser.push(bytes.subarray(at, at + size))).toBeNull();
          at += size;
        }
        expect(parser.end()).toBeNull();
        expect(taken).toEqual([
          ['tool/SKILL.md', SKILL.data],
          ['a', 'x'.repeat(700)],
          ['b/c', 'y'],
        ]);
      }),
    );
  });
});
