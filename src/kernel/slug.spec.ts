import { describe, expect, it } from '@jest/globals';
import { checkSlug, parseSkillRef } from './slug.js';

describe('checkSlug', () => {
  it.each(['pdf', 'custom/my-skill', 'a', 'x1-y2', 'a'.repeat(64)])('takes %j as canonical', (slug) => {
    expect(checkSlug(slug)).toEqual({ kind: 'ok', slug, canonical: true });
  });

  it.each(['Best Practices', 'snake_case', 'v1.2', 'odd#1', '客户支持', '-edge', 'a--b', 'a'.repeat(65)])(
    'takes %j as loadable, not canonical',
    (slug) => {
      expect(checkSlug(slug)).toEqual({ kind: 'ok', slug, canonical: false });
    },
  );

  it.each([
    '',
    'custom',
    '../x',
    'a//b',
    '.git',
    '_shared',
    'a\\b',
    'a@b',
    'a:b',
    'a\u0000b',
    'a\u200bb',
    'a%2fb',
    ' a',
  ])('refuses %j with a reason', (slug) => {
    expect(checkSlug(slug)).toMatchObject({ kind: 'invalid', because: expect.any(String) });
  });

  it('gives the composed form of a decomposed name', () => {
    expect(checkSlug('cafe\u0301')).toMatchObject({ slug: 'caf\u00e9' });
  });
});

describe('parseSkillRef', () => {
  it.each([
    ['pdf', 'pdf', { kind: 'current' }],
    ['  pdf ', 'pdf', { kind: 'current' }],
    ['pdf@3', 'pdf', { kind: 'version', version: 3 }],
    ['custom/x@production', 'custom/x', { kind: 'label', label: 'production' }],
    [`pdf@sha256:${'a'.repeat(64)}`, 'pdf', { kind: 'digest', digest: `sha256:${'a'.repeat(64)}` }],
    ['Best Practices', 'Best Practices', { kind: 'current' }],
    ['tools:review', 'tools:review', { kind: 'current' }],
  ])('reads %j', (ref, address, target) => {
    expect(parseSkillRef(ref)).toMatchObject({ address, target });
  });

  it.each(['', '   ', '@3', 'pdf@', 'pdf@0', 'pdf@sha256:zz', '../pdf', 'a/../b', 'a\u0000'])(
    'refuses %j',
    (ref) => {
      expect(parseSkillRef(ref)).toBeNull();
    },
  );
});
