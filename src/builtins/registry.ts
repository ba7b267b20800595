import { AGENT_BROWSER } from './agent-browser.js';
import { type BuiltinSkill } from './builtin-skill.js';

/**
 * Every skill that is served from code. Their slugs are reserved: a folder of the same slug on disk is
 * never used, and nothing can be created or imported under it.
 */
export const BUILTIN_SKILLS: readonly BuiltinSkill[] = [AGENT_BROWSER];

/**
 * The builtin with exactly this slug.
 *
 * @example findBuiltin('agent-browser')?.capability // 'browser'
 */
export function findBuiltin(slug: string): BuiltinSkill | undefined {
  return BUILTIN_SKILLS.find((skill) => skill.slug === slug);
}
