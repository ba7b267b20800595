import { describe, expect, it } from '@jest/globals';
import { skillEntry } from '../../../test/support/skill-entries.js';
import { mergeSkills } from './merge.js';
import { type SkillEntry } from './skill-entry.js';

const codes = (entry: SkillEntry | undefined): string[] => entry?.findings.map(({ code }) => code) ?? [];
const bundled = (slug: string): SkillEntry =>
  skillEntry({ slug, id: `bundled-${slug}`, layer: 'bundled', filePath: `bundled-skills/${slug}/SKILL.md` });
const builtin = (slug: string): SkillEntry =>
  skillEntry({ slug, id: `builtin-${slug}`, layer: 'builtin', filePath: `builtin:${slug}`, dir: null });

describe('mergeSkills', () => {
  it('keeps entries that nothing disputes as they are, sorted by slug', () => {
    const [b, a] = [skillEntry({ slug: 'b' }), skillEntry({ slug: 'a' })];
    const merged = mergeSkills([b, a], [], 'slug');
    expect(merged.entries).toEqual([a, b]);
    expect(merged.entries[1]).toBe(b);
    expect(merged.bySlug.get('a')).toBe(a);
    expect(merged.byName.get('b')).toEqual([b]);
    expect(merged.foundAs.size).toBe(0);
  });

  it('lets the earlier location win and says so on both sides', () => {
    const own = skillEntry({ slug: 'pdf' });
    const merged = mergeSkills([own, bundled('pdf')], [], 'slug');
    expect(merged.bySlug.get('pdf')).toMatchObject({ layer: 'workspace', availability: 'available' });
    expect(codes(merged.bySlug.get('pdf'))).toEqual(['shadows_bundled']);
    expect(merged.byId.get('bundled-pdf')).toMatchObject({
      availability: 'shadowed',
      shadowedBy: own.id,
      findings: [{ code: 'shadowed', path: 'bundled-skills/pdf/SKILL.md', found: 'skills/pdf/SKILL.md' }],
    });
    expect(merged.foundAs.get(merged.bySlug.get('pdf')!)).toBe(own);
  });

  it('never lets a broken skill hide a good one', () => {
    const broken = skillEntry({ slug: 'pdf', version: 0, availability: 'invalid' });
    const merged = mergeSkills([broken, bundled('pdf')], [], 'slug');
    expect(merged.bySlug.get('pdf')?.layer).toBe('bundled');
    expect(codes(merged.bySlug.get('pdf'))).toEqual(['earlier_broken']);
    expect(merged.byId.get(broken.id)).toMatchObject({ availability: 'invalid', shadowedBy: 'bundled-pdf' });
  });

  it('lets a broken skill stand for its slug when there is no other', () => {
    const broken = skillEntry({ slug: 'pdf', version: 0, availability: 'invalid' });
    expect(mergeSkills([broken], [], 'slug').bySlug.get('pdf')).toBe(broken);
  });

  it('reserves builtins of the service', () => {
    const merged = mergeSkills([skillEntry({ slug: 'agent-browser' })], [builtin('agent-browser')], 'slug');
    expect(merged.bySlug.get('agent-browser')?.layer).toBe('builtin');
    expect(codes(merged.byId.get('id-of-agent-browser'))).toEqual(['builtin_reserved']);
  });

  it('lets a user skill hide a builtin in profile discovery', () => {
    const merged = mergeSkills([skillEntry({ slug: 'agent-browser' })], [builtin('agent-browser')], 'name');
    expect(merged.bySlug.get('agent-browser')?.layer).toBe('workspace');
    expect(codes(merged.bySlug.get('agent-browser'))).toEqual(['shadows_bundled']);
  });

  it('marks every winner that shares its name', () => {
    const merged = mergeSkills(
      [skillEntry({ slug: 'review' }), skillEntry({ slug: 'custom/review', name: 'review' })],
      [],
      'slug',
    );
    expect(merged.byName.get('review')?.map(({ slug }) => slug)).toEqual(['custom/review', 'review']);
    expect(merged.bySlug.get('review')?.findings).toMatchObject([
      { code: 'name_shared', path: 'skills/review/SKILL.md', found: 'skills/custom/review/SKILL.md' },
    ]);
    expect(merged.byName.get('review')).toContain(merged.bySlug.get('review'));
    expect(merged.entries).toContain(merged.bySlug.get('review'));
    expect(merged.byId.get('id-of-review')).toBe(merged.bySlug.get('review'));
  });

  it('does not count a broken skill when names are shared', () => {
    const broken = skillEntry({ slug: 'old/review', name: 'review', version: 0, availability: 'invalid' });
    const merged = mergeSkills([skillEntry({ slug: 'review' }), broken], [], 'slug');
    expect(merged.byName.get('review')?.map(({ slug }) => slug)).toEqual(['review']);
  });

  it('keeps ids apart when one location spells a slug twice', () => {
    const twin = { slug: 'café', id: 'same' };
    const merged = mergeSkills([skillEntry(twin), skillEntry(twin), skillEntry(twin)], [], 'slug');
    expect(new Set(merged.entries.map(({ id }) => id)).size).toBe(3);
    expect(merged.byId.size).toBe(3);
  });
});
