import { nameUuid } from '../../kernel/name-uuid.js';

/**
 * The id of a skill that no database has numbered: UUID version 5 over layer and slug, so the same folder
 * has the same id on every machine and after every start.
 */
export function entryId(layer: string, slug: string): string {
  return nameUuid(`${layer}\0${slug}`);
}
