import { type CatalogSnapshot, type SkillEntry } from '../discovery/skill-entry.js';

export type SkillMatch =
  | { readonly kind: 'found'; readonly entry: SkillEntry; readonly by: 'id' | 'slug' | 'alias' | 'name' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly SkillEntry[] };

/**
 * Finds a skill by UUID, then exact slug, then a slug it had before, then a name that only one skill has. A hidden entry (one that an
 * earlier location shadows) answers to its UUID alone.
 *
 * @example findSkill(snapshot, 'custom/review') // { kind: 'found', entry, by: 'slug' }
 */
export function findSkill(snapshot: CatalogSnapshot, id: string): SkillMatch {
  const text = id.trim().normalize('NFC');
  const byId = snapshot.byId.get(text.toLowerCase());
  if (byId !== undefined) return { kind: 'found', entry: byId, by: 'id' };
  const bySlug = snapshot.bySlug.get(text);
  if (bySlug !== undefined) return { kind: 'found', entry: bySlug, by: 'slug' };
  const moved = snapshot.aliases.get(text);
  if (moved !== undefined) return { kind: 'found', entry: moved, by: 'alias' };
  const candidates = snapshot.byName.get(text) ?? [];
  const [entry] = candidates;
  if (entry === undefined) return { kind: 'missing' };
  return candidates.length === 1 ? { kind: 'found', entry, by: 'name' } : { kind: 'ambiguous', candidates };
}
