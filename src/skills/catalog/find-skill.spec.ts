import { describe, expect, it } from '@jest/globals';
import { skillEntry, snapshotOf } from '../../../test/support/skill-entries.js';
import { findSkill } from './find-skill.js';

const snapshot = snapshotOf([
  skillEntry({ slug: 'review', id: '0b7c3c1e-0000-5000-8000-000000000001' }),
  skillEntry({ slug: 'custom/review', name: 'review' }),
  skillEntry({ slug: 'notes', name: 'Release Notes' }),
  skillEntry({ slug: 'team/notes', name: 'notes' }),
]);

describe('findSkill', () => {
  it('finds by id, slug and unique name, in this order', () => {
    expect(findSkill(snapshot, '0B7C3C1E-0000-5000-8000-000000000001')).toMatchObject({ by: 'id' });
    expect(findSkill(snapshot, ' custom/review ')).toMatchObject({
      by: 'slug',
      entry: { slug: 'custom/review' },
    });
    expect(findSkill(snapshot, 'Release Notes')).toMatchObject({ by: 'name', entry: { slug: 'notes' } });
    expect(findSkill(snapshot, 'notes')).toMatchObject({ by: 'slug', entry: { slug: 'notes' } });
  });

  it('names the candidates of a name that is not unique', () => {
    const twins = snapshotOf([
      skillEntry({ slug: 'a/x', name: 'x' }),
      skillEntry({ slug: 'b/x', name: 'x' }),
    ]);
    expect(findSkill(twins, 'x')).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ slug: 'a/x' }, { slug: 'b/x' }],
    });
  });

  it('finds nothing under parts of a slug', () => {
    expect(findSkill(snapshot, 'custom')).toEqual({ kind: 'missing' });
    expect(findSkill(snapshot, '__proto__')).toEqual({ kind: 'missing' });
  });
});
