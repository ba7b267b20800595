import { describe, expect, it } from '@jest/globals';
import { checkSlug } from '../kernel/slug.js';
import { BUILTIN_SKILLS, findBuiltin } from './registry.js';

describe('the registry of builtin skills', () => {
  it('gives every builtin a canonical slug of its own', () => {
    const slugs = BUILTIN_SKILLS.map((skill) => skill.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(checkSlug(slug)).toEqual({ kind: 'ok', slug, canonical: true });
  });

  it('finds a builtin by its exact slug only', () => {
    expect(findBuiltin('agent-browser')?.capability).toBe('browser');
    expect(findBuiltin('Agent-Browser')).toBeUndefined();
    expect(findBuiltin('agent-browser/')).toBeUndefined();
  });

  it('names itself in the frontmatter as in the registry', () => {
    for (const skill of BUILTIN_SKILLS) expect(skill.skillMd).toMatch(`---\nname: ${skill.slug}\n`);
  });

  it('ships every supporting file that the text points at', () => {
    for (const skill of BUILTIN_SKILLS) {
      const mentioned = skill.skillMd.match(/\b(?:references|scripts|assets)\/[\w.-]+/g) ?? [];
      expect(skill.files.map((file) => file.path)).toEqual(expect.arrayContaining(mentioned));
    }
  });

  it('keeps the instructions under 200 lines', () => {
    for (const skill of BUILTIN_SKILLS) expect(skill.skillMd.split('\n').length).toBeLessThan(200);
  });
});
