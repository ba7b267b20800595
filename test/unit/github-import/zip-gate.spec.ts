import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deflateRawSync } from 'node:zlib';
import { SkillwrightError } from '../../../src/kernel/errors.js';
import { openZip } from '../../../src/github-import/archive/zip.adapter.js';
import { judgeZip } from '../../../src/github-import/archive/zip-gate.js';
import { type ZipEntry, type ZipFrame, zipOf } from '../../support/zip-bytes.js';

const LIMITS = { entries: 50, fileBytes: 4_000_000, totalBytes: 8_000_000 };
const SKILL: ZipEntry = { name: 'tool/SKILL.md', data: '---\nname: tool\ndescription: d\n---\n\nx\n' };
const a: ZipEntry = { name: 'tool/a.txt', data: 'some text, some text, some text' };

function unpack(bytes: Buffer): Record<string, string> {
  const archive = openZip(bytes, LIMITS);
  return Object.fromEntries(archive.members.map(({ path }) => [path, archive.read(path).toString()]));
}

/** The code with which the archive is refused, by its records or by its bytes. */
function refusal(entries: readonly ZipEntry[] | Buffer, frame?: ZipFrame): string {
  try {
    unpack(Buffer.isBuffer(entries) ? entries : zipOf(entries, frame));
    return 'accepted';
  } catch (error) {
    if (SkillwrightError.is(error)) return error.code;
    throw error;
  }
}

const unicodePath = (name: string): Buffer => {
  const body = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(name)]);
  return Buffer.concat([Buffer.from([0x75, 0x70, body.length, 0]), body]);
};

describe('the zip gate', () => {
  it('gives files with their bytes and modes', () => {
    const archive = openZip(
      zipOf([
        { name: 'tool/', mode: 0o040755, stored: true },
        SKILL,
        { name: 'tool/run.sh', data: '#!/bin/sh\n', mode: 0o100755 },
        { name: 'tool/odd.sh', data: '#!/bin/sh\n', mode: 0o104777 },
        { name: 'tool/secret', data: 'x', mode: 0o100000, stored: true },
        { name: 'tool/empty', data: '' },
      ]),
      LIMITS,
    );
    expect(archive.members.map(({ path, mode, size }) => [path, mode, size])).toEqual([
      ['tool/SKILL.md', '0644', 37],
      ['tool/run.sh', '0755', 10],
      ['tool/odd.sh', '0755', 10],
      ['tool/secret', '0644', 1],
      ['tool/empty', '0644', 0],
    ]);
    expect(archive.read('tool/run.sh').toString()).toBe('#!/bin/sh\n');
  });

  it('reads what common tools write: descriptors, backslashes, names in UTF-8, a comment, no entries', () => {
    expect(
      unpack(
        zipOf([
          { ...SKILL, descriptor: 'signed' },
          { ...a, descriptor: 'plain' },
        ]),
      ),
    ).toEqual({
      'tool/SKILL.md': SKILL.data,
      'tool/a.txt': a.data,
    });
    expect(Object.keys(unpack(zipOf([{ ...SKILL, name: 'tool\\refs\\a.md' }])))).toEqual(['tool/refs/a.md']);
    expect(Object.keys(unpack(zipOf([{ name: 'tööl/说明.md' }])))).toEqual(['tööl/说明.md']);
    expect(refusal([SKILL], { comment: Buffer.from('made by PK tools') })).toBe('accepted');
    expect(refusal([])).toBe('accepted');
    expect(refusal([{ ...a, central: { extra: unicodePath('tool/a.txt') } }])).toBe('accepted');
  });

  it.each([
    '../evil.txt',
    'tool/../../evil.txt',
    'tool/..',
    '..',
    '/etc/evil.txt',
    '//host/share',
    'C:/evil.txt',
    'C:evil.txt',
    'tool\\..\\..\\evil.txt',
    '\\\\host\\share',
    'tool//a',
    'tool/./a',
    'tool/a\0b',
    'tool/a\nb',
    '',
    'x'.repeat(256),
    Array(18).fill('d').join('/'),
  ])('refuses the path %j before anything is unpacked', (name) => {
    const gate = judgeZip(zipOf([SKILL, { ...a, name }]), LIMITS);
    expect(gate).toMatchObject({ kind: 'refused', code: 'archive_path_unsafe', entry: name });
  });

  it.each([
    ['overlong', Buffer.from([0x74, 0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61])],
    ['Latin', Buffer.from([0x74, 0xe4])],
  ])('refuses a name in %s bytes', (_kind, name) => {
    expect(refusal([SKILL, { ...a, name }])).toBe('archive_path_unsafe');
  });

  it.each([
    ['link', 0o120777],
    ['pipe', 0o010644],
    ['socket', 0o140644],
    ['character device', 0o020644],
    ['block device', 0o060644],
  ])('refuses a %s', (_kind, mode) => {
    expect(refusal([SKILL, { name: 'tool/x', data: '/etc/passwd', mode }])).toBe('archive_entry_type');
  });

  it.each([
    ['the same path', 'tool/a.txt'],
    ['another case', 'tool/A.TXT'],
    ['another case above', 'TOOL/b.txt'],
    ['a file that is also a folder', 'tool/a.txt/b'],
    ['another separator', 'tool\\a.txt'],
  ])('refuses a second entry with %s', (_kind, name) => {
    expect(refusal([SKILL, a, { ...a, name }])).toBe('archive_duplicate_entry');
  });

  it('refuses two Unicode forms of one name', () => {
    expect(refusal([{ name: 'caf\u00e9' }, { name: 'cafe\u0301' }])).toBe('archive_duplicate_entry');
    expect(refusal([{ name: '\uff41' }, { name: 'a' }])).toBe('archive_duplicate_entry');
    expect(refusal([{ name: 'stra\u00dfe' }, { name: 'STRASSE' }])).toBe('archive_duplicate_entry');
  });

  it.each<[string, Partial<ZipEntry>, string]>([
    ['encryption', { flags: 1 }, 'archive_encrypted'],
    ['strong encryption', { flags: 0x41 }, 'archive_encrypted'],
    ['masked headers', { flags: 0x2000 }, 'archive_encrypted'],
    ['patched data', { flags: 0x20 }, 'archive_unsupported'],
    ['another method', { central: { method: 14 }, local: { method: 14 } }, 'archive_unsupported'],
    ['a zip64 entry', { central: { extra: Buffer.from([1, 0, 0, 0]) } }, 'archive_unsupported'],
    ['another local name', { local: { name: 'tool/b.txt' } }, 'archive_invalid'],
    ['another local size', { local: { size: 3 } }, 'archive_invalid'],
    ['another local checksum', { local: { crc: 3 } }, 'archive_invalid'],
    ['another local method', { local: { method: 0 } }, 'archive_invalid'],
    ['other local flags', { local: { flags: 8 } }, 'archive_invalid'],
    ['a second name', { central: { extra: unicodePath('tool/other') } }, 'archive_invalid'],
    ['a damaged extra field', { central: { extra: Buffer.from([9]) } }, 'archive_invalid'],
    ['a size that is too small', { central: { size: 5 }, local: { size: 5 } }, 'archive_invalid'],
    ['a size that is too large', { central: { size: 500 }, local: { size: 500 } }, 'archive_invalid'],
    ['a wrong checksum', { central: { crc: 5 }, local: { crc: 5 } }, 'archive_invalid'],
    [
      'bytes behind the packed ones',
      { packedBytes: Buffer.concat([deflateRawSync(Buffer.from(String(a.data))), Buffer.from('more')]) },
      'archive_invalid',
    ],
    ['broken packed bytes', { packedBytes: Buffer.from('no deflate') }, 'archive_invalid'],
    ['a place of its own elsewhere', { central: { offset: 0 } }, 'archive_invalid'],
    ['a place beyond the end', { central: { offset: 99999 } }, 'archive_invalid'],
    ['a hidden entry', { hidden: true }, 'archive_invalid'],
    ['a folder that holds bytes', { name: 'tool/b/' }, 'archive_invalid'],
    ['a folder named like a file', { mode: 0o040755 }, 'archive_invalid'],
    [
      '4 GiB by its header',
      { central: { size: 0xffffffff }, local: { size: 0xffffffff } },
      'archive_too_large',
    ],
  ])('refuses an entry with %s', (_kind, lie, code) => {
    expect(refusal([SKILL, { ...a, ...lie }])).toBe(code);
  });

  it.each<[string, ZipFrame]>([
    ['bytes before it', { prefix: Buffer.from('#!/bin/sh\n') }],
    ['bytes after it', { suffix: Buffer.from('x') }],
    ['bytes before the directory', { beforeDirectory: Buffer.from('gap') }],
    ['a record in its comment', { comment: Buffer.from('PK\x05\x06 and more') }],
    ['a wrong count', { entries: 1 }],
    ['a count that is too large', { entries: 3 }],
    ['a whole archive as its comment', { comment: zipOf([a]) }],
  ])('refuses an archive with %s', (_kind, frame) => {
    expect(refusal([SKILL, a], frame)).toBe('archive_invalid');
  });

  it('refuses what is no archive, or cut', () => {
    const whole = zipOf([SKILL, a]);
    expect(refusal(Buffer.from('hello'))).toBe('archive_invalid');
    for (let length = 1; length < whole.length; length += 7) {
      expect(refusal(whole.subarray(0, length))).toBe('archive_invalid');
    }
  });

  it('refuses a bomb by its directory alone', () => {
    const packedBytes = deflateRawSync(Buffer.alloc(3_000_000));
    const honest = { size: 3_000_000 };
    const big = { name: 'tool/zeros', packedBytes, central: honest, local: honest };
    expect(refusal([SKILL, big])).toBe('archive_too_large');
    const claims = { size: 3_900_000, packed: 20_000 };
    const overlapping = Array.from({ length: 40 }, (_, index) => ({
      name: `f${index}`,
      central: { ...claims, offset: 0 },
    }));
    expect(refusal([SKILL, ...overlapping])).toBe('archive_too_large');
    expect(refusal(Array.from({ length: 51 }, (_, index) => ({ name: `f${index}` })))).toBe(
      'archive_too_many_entries',
    );
    expect(refusal([SKILL], { entries: 65_535 })).toBe('archive_too_many_entries');
  });

  it('stops inflating at the declared size', () => {
    const packedBytes = deflateRawSync(Buffer.alloc(200_000_000));
    const before = process.memoryUsage().rss;
    const small = { size: 100 };
    expect(refusal([SKILL, { name: 'tool/x', packedBytes, central: small, local: small }])).toBe(
      'archive_invalid',
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('answers every mutation of an archive with its own bytes or a refusal', () => {
    const whole = zipOf([SKILL, { ...a, descriptor: 'signed' }, { name: 'tool/b', data: 'b', stored: true }]);
    const honest = unpack(whole);
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of changes) bytes[at] = to;
        if (refusal(bytes) !== 'accepted') return;
        // What a reader takes from it is what was packed, whatever else was changed: times, modes, unused fields.
        expect(Object.values(unpack(bytes)).sort()).toEqual(Object.values(honest).sort());
      }),
      { numRuns: 3000 },
    );
  });

  it('gives back whatever was packed', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/);
    const files = fc.dictionary(name, fc.uint8Array({ maxLength: 300 }), { maxKeys: 8 });
    const entry = fc.record({
      stored: fc.boolean(),
      descriptor: fc.option(fc.constantFrom('signed' as const, 'plain' as const), { nil: undefined }),
    });
    fc.assert(
      fc.property(files, fc.array(entry, { minLength: 8, maxLength: 8 }), (packed, how) => {
        const entries = Object.entries(packed).map(([path, data], index) => {
          const { stored, descriptor } = how[index]!;
          return { name: path, data: Buffer.from(data), stored, ...(descriptor && { descriptor }) };
        });
        const bytes = zipOf(entries);
        if (refusal(bytes) === 'archive_duplicate_entry') return;
        const archive = openZip(bytes, LIMITS);
        for (const { name: path, data } of entries) expect(archive.read(path)).toEqual(data);
      }),
    );
  });
});
