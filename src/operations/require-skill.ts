import { SkillwrightError } from '../kernel/errors.js';
import { findSkill } from '../skills/catalog/find-skill.js';
import { type CatalogSnapshot, type SkillEntry } from '../skills/discovery/skill-entry.js';

/** @throws SkillwrightError `skill_not_found`, or `ref_ambiguous` with the candidates. */
export function requireSkill(snapshot: CatalogSnapshot, id: string, layerName?: string): SkillEntry {
  if (layerName !== undefined) {
    const entry = snapshot.entries.find((one) => one.slug === id && one.layer === layerName);
    if (entry) return entry;
    throw new SkillwrightError('skill_not_found', { detail: `no skill "${id}" in the layer "${layerName}"` });
  }
  const found = findSkill(snapshot, id);
  switch (found.kind) {
    case 'found':
      return found.entry;
    case 'missing':
      throw new SkillwrightError('skill_not_found', { detail: `no skill has the id, slug or name "${id}"` });
    case 'ambiguous':
      throw new SkillwrightError('ref_ambiguous', {
        detail: `"${id}" is the name of several skills; use a slug`,
        candidates: found.candidates.map(({ slug }) => slug),
      });
  }
}

/** Also finds a skill that was deleted, by UUID or slug: its history can be read and restored. */
export function requireEvenDeleted(snapshot: CatalogSnapshot, id: string): SkillEntry {
  const text = id.trim().normalize('NFC');
  const deleted =
    snapshot.deleted.get(text) ??
    Array.from(snapshot.deleted.values()).find((entry) => entry.id === text.toLowerCase());
  return deleted ?? requireSkill(snapshot, id);
}
