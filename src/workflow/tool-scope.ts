import { SkillwrightError } from '../kernel/errors.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { type Resolution } from './effective-skills.js';

/**
 * The skill that a tool call names, by slug or by a name that only one skill of the scope carries. A skill that is
 * hidden from the model is found: hiding keeps it out of listings, not from whoever asks for it by name.
 *
 * @throws SkillwrightError `skill_not_selected` for everything else, existing or not; `ref_ambiguous`
 */
export function findInScope(resolution: Resolution, name: string): SkillEntry {
  const wanted = name.normalize('NFC').trim();
  const entries = resolution.skills.map(({ entry }) => entry);
  const bySlug = entries.find(({ slug }) => slug === wanted);
  if (bySlug) return bySlug;
  const [only, ...others] = entries.filter((entry) => entry.name === wanted);
  if (!only) throw notSelected(resolution, wanted);
  if (others.length === 0) return only;
  const candidates = [only, ...others].map(({ slug }) => slug).sort();
  throw new SkillwrightError('ref_ambiguous', {
    candidates,
    detail: `several skills of this step carry the name; use a slug: ${candidates.join(', ')}`,
  });
}

/**
 * The path of a tool call: null for the skill's own file, else relative, with `/`, without `.` and `..`.
 *
 * @throws SkillwrightError `path_invalid`
 */
export function toolPath(path: string | undefined): string | null {
  if (path === undefined || path.trim() === '') return null;
  // A model on Windows writes backslashes; they mean what it thinks they mean.
  const slashed = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const segments = slashed.split('/');
  const unsafe =
    slashed.includes('\0') || segments.some((part) => part === '' || part === '.' || part === '..');
  if (!unsafe && !/^[a-z]:/i.test(slashed)) return slashed === 'SKILL.md' ? null : slashed;
  throw new SkillwrightError('path_invalid', {
    detail: 'a path inside a skill is relative to its folder and has no "." or ".." segment',
  });
}

function notSelected({ skills, rejected }: Resolution, wanted: string): SkillwrightError {
  const available = skills
    .filter(({ entry }) => !entry.frontmatter.disableModelInvocation)
    .map(({ entry }) => entry.slug)
    .sort();
  const refused = rejected.find(({ ref }) => ref === wanted);
  const reason = refused ? `${refused.because.text}; ` : '';
  const choice = available.length === 0 ? 'no skill is available' : `available: ${available.join(', ')}`;
  return new SkillwrightError('skill_not_selected', {
    available,
    detail: `the skill is not in effect here: ${reason}${choice}`,
  });
}
