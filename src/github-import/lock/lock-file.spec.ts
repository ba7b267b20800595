import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { computedHash } from './computed-hash.js';
import { parseLockFile, serializeLockFile } from './lock-file.js';

const HASH = 'ab'.repeat(32);

describe('computedHash', () => {
  it('joins paths and bytes in the order of the vercel CLI: letters before case', () => {
    const files = [
      { path: 'SKILL.md', bytes: Buffer.from('one') },
      { path: 'scripts/a.py', bytes: Buffer.from('two') },
      { path: 'B.md', bytes: Buffer.from('three') },
    ];
    const expected = createHash('sha256').update('B.mdthreescripts/a.pytwoSKILL.mdone').digest('hex');
    expect(computedHash(files)).toBe(expected);
    expect(computedHash([...files].reverse())).toBe(expected);
  });
});

describe('parseLockFile', () => {
  it('reads skills-lock.json of the vercel CLI, with keys that it does not know', () => {
    const skills = {
      b: { source: 'o/r', sourceType: 'github', computedHash: HASH, ref: 'main', subagents: [] },
    };
    expect(parseLockFile(JSON.stringify({ version: 1, skills }))).toMatchObject({
      kind: 'ok',
      format: 'vercel',
      skills: [{ name: 'b', source: 'o/r', ref: 'main', computedHash: HASH, digest: null }],
    });
  });

  it('reads what it writes, sorted, without what is not known', () => {
    const common = { source: null, sourceType: null, ref: null, commit: null, path: null };
    const digest = `sha256:${HASH}`;
    const text = serializeLockFile([
      { ...common, name: 'b', version: 2, digest, commit: 'c0' },
      { ...common, name: 'a', version: 1, digest },
    ]);
    expect(text.endsWith('}\n')).toBe(true);
    expect(text).not.toContain('null');
    expect(parseLockFile(text)).toMatchObject({
      format: 'skillwright',
      skills: [
        { name: 'a', version: 1, digest, commit: null },
        { name: 'b', version: 2, commit: 'c0' },
      ],
    });
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['another version', '{"version":3,"skills":{}}'],
    [
      'a hash that is none',
      '{"version":1,"skills":{"a":{"source":"x","sourceType":"y","computedHash":"z"}}}',
    ],
  ])('says what is wrong with %s', (_kind, text) => {
    expect(parseLockFile(text)).toMatchObject({
      kind: 'invalid',
      because: expect.stringMatching(/\w/) as unknown,
    });
  });
});
