import { describe, expect, it } from '@jest/globals';
import { checkSkillName, folderFindings, nameFindings } from './skill-name.js';

describe('checkSkillName', () => {
  it.each(['pdf', 'pdf-2', 'constructor', 'a', '7', 'b'.repeat(64)])('takes %j as canonical', (name) => {
    expect(checkSkillName(name)).toEqual({ kind: 'ok', name, canonical: true });
  });

  it.each([
    'Book Shelf',
    'snake_case',
    'team:review',
    'team: review',
    'v1.2',
    '-edge',
    'edge-',
    'two--hyphens',
    'Полка',
    '书架',
    "o'clock",
    'c'.repeat(65),
  ])('loads %j with a finding', (name) => {
    const check = checkSkillName(name);
    expect(check).toEqual({ kind: 'ok', name, canonical: false });
    expect(nameFindings(check)).toMatchObject([
      { code: 'name_nonconforming', severity: 'warning', field: 'name' },
    ]);
  });

  it.each([
    ['../up', 'the character /'],
    ['/abs', 'the character /'],
    ['C:\\x', 'the character \\'],
    ['<b>', 'the character <'],
    ['a>b', 'the character >'],
    ['.', 'reserved'],
    ['..', 'reserved'],
    ['__proto__', 'reserved'],
    ['---', 'only hyphens'],
    ['two\nlines', 'control'],
    ['be\u0007ll', 'control'],
    ['zero\u200bwidth', 'invisible'],
    ['tag\u{e0041}', 'invisible'],
    ['bidi\u202e', 'invisible'],
    ['vs\ufe0f', 'invisible'],
    ['half\ud800', 'invisible'],
    ['d'.repeat(257), 'longer than 256'],
  ])('refuses %j and says why', (name, because) => {
    const check = checkSkillName(name);
    expect(check).toMatchObject({ kind: 'invalid', because: expect.stringContaining(because) });
    expect(nameFindings(check)).toMatchObject([{ code: 'name_invalid', severity: 'error' }]);
  });

  it('counts code points, trims and composes', () => {
    expect(checkSkillName('🎉'.repeat(256))).toMatchObject({ kind: 'ok' });
    expect(checkSkillName('  cafe\u0301 ')).toMatchObject({ name: 'caf\u00e9' });
    expect(nameFindings(checkSkillName('   '))).toMatchObject([{ code: 'field_blank', severity: 'error' }]);
  });
});

describe('folderFindings', () => {
  const declared = { name: 'shelf', slug: null, nameGiven: true };

  it('is silent when name and folder agree, composed or not', () => {
    expect(folderFindings(declared, 'shelf')).toEqual([]);
    expect(folderFindings({ ...declared, name: 'caf\u00e9' }, 'cafe\u0301')).toEqual([]);
    expect(folderFindings(declared, undefined)).toEqual([]);
  });

  it('warns of a name or slug that differs from the folder', () => {
    expect(folderFindings(declared, 'rack')).toMatchObject([{ code: 'name_mismatch', severity: 'warning' }]);
    expect(folderFindings({ ...declared, slug: 'custom/shelf' }, 'shelf')).toEqual([]);
    expect(folderFindings({ ...declared, slug: 'rack' }, 'shelf')).toMatchObject([{ code: 'slug_mismatch' }]);
  });

  it('falls back to the folder for a missing name, and has nothing to fall back to without one', () => {
    const nameless = { name: null, slug: null, nameGiven: false };
    expect(folderFindings(nameless, 'shelf')).toMatchObject([{ code: 'name_missing', severity: 'warning' }]);
    expect(folderFindings(nameless, undefined)).toMatchObject([
      { code: 'field_missing', field: 'name', severity: 'error' },
    ]);
  });
});
