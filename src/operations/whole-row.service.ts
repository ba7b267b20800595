import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { type OperationContext } from './operation-context.service.js';
import { skillRow } from './skill-view.js';

/** What an edit answers: the row, and by what it can be edited again. */
export async function wholeRow({ catalog, usage }: OperationContext, entry: SkillEntry) {
  const uses = (await usage.current())(entry.slug);
  return {
    ...skillRow(entry, uses.length),
    file_hash: entry.stored?.fileHash ?? null,
    revision: catalog.snapshot().revision,
  };
}
