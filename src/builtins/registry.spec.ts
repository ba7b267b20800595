import { describe, expect, it } from '@jest/globals';
import { checkSlug } from '../kernel/slug.js';
import { parseSkill } from '../skills/format/parse-skill.js';
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

  it('ships skills that validate without a remark, under the name of their slug', () => {
    const limits = { skillMdBytes: 65_536, frontmatterBytes: 4_096 };
    for (const { slug, skillMd } of BUILTIN_SKILLS) {
      const { frontmatter, findings } = parseSkill(skillMd, { folderName: slug, limits });
      expect({ name: frontmatter.name, findings }).toEqual({ name: slug, findings: [] });
    }
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
