import { type Author } from '../events/author.js';
import { SkillwrightError } from '../kernel/errors.js';
import { checkSlug, parseSkillRef } from '../kernel/slug.js';
import { type CatalogService } from '../skills/catalog/catalog.service.js';
import { type SkillEditor } from '../skills/catalog/skill-editor.service.js';
import { type SkillEntry } from '../skills/discovery/skill-entry.js';
import { deleteSkill, moveSkill } from '../skills/store/skill-state.store.js';
import { type ConfigSync } from './config-sync.service.js';
import { detaching, retargeting } from './reference-edit.js';
import { changeAllReferences } from './skill-references.store.js';
import { type SkillUsageService } from './skill-usage.service.js';

// What a new address may be made of; folders that exist may have other names.
const PLAIN_SLUG = /^[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*$/u;

/** Deletes and moves skills together with the references to them. */
export class SkillMoves {
  constructor(
    private readonly catalog: CatalogService,
    private readonly editor: SkillEditor,
    private readonly usage: SkillUsageService,
    private readonly configs: ConfigSync | null,
  ) {}

  /**
   * Deletes a skill softly: it can be restored.
   *
   * @param detach removes the references to it, instead of refusing while there are some
   * @throws SkillwrightError `skill_in_use` with the places, `skill_protected`, `skill_changed`, `db_unavailable`
   */
  async delete(entry: SkillEntry, { detach }: { readonly detach: boolean }, author: Author): Promise<void> {
    const places = (await this.usage.current())(entry.slug);
    if (places.length > 0 && !detach) {
      const named = places.map((place) =>
        place.kind === 'step' ? `${place.workflow_id}/${place.step_id}` : place.label,
      );
      const detail = `"${entry.slug}" is still named by ${named.join(', ')}; detach=true takes it out there`;
      throw new SkillwrightError('skill_in_use', { slug: entry.slug, detail, places });
    }
    await this.configs?.run();
    await this.editor.changeInWorkspace(entry, author, async (change, skill) => {
      const { kind } = await deleteSkill(change, skill);
      if (kind === 'unchanged') return 'conflict';
      await changeAllReferences(
        change,
        detaching((ref) => parseSkillRef(ref)?.address === skill.slug),
      );
      return 'done';
    });
    await this.configs?.run();
  }

  /**
   * Gives a skill another address; references follow, and the old address goes on leading to it.
   *
   * @throws SkillwrightError `skill_name_invalid`, `skill_exists`, `skill_protected`, `skill_changed`
   */
  async move(entry: SkillEntry, to: string, author: Author): Promise<SkillEntry> {
    const slug = requirePlainSlug(to);
    if (slug === entry.slug) return entry;
    const other = this.catalog.stored?.skills.at('workspace', slug);
    if (other !== undefined) {
      throw new SkillwrightError('skill_exists', { slug, detail: `another skill has the slug "${slug}"` });
    }
    await this.configs?.run();
    const moved = await this.editor.changeInWorkspace(entry, author, async (change, skill) => {
      const { kind } = await moveSkill(change, skill, { slug, filePath: `skills/${slug}/${entry.fileName}` });
      if (kind === 'unchanged') return 'conflict';
      await changeAllReferences(change, retargeting(skill.slug, slug));
      return 'done';
    });
    await this.configs?.run();
    return moved;
  }
}

function requirePlainSlug(text: string): string {
  const check = checkSlug(text.trim().normalize('NFC'));
  if (check.kind === 'ok' && PLAIN_SLUG.test(check.slug)) return check.slug;
  const because = check.kind === 'ok' ? 'it may hold letters, digits, "-", "_" and "."' : check.because;
  throw new SkillwrightError('skill_name_invalid', {
    detail: `"${text}" is no address for a skill: ${because}`,
  });
}
