import { checkSlug, isCanonicalSegment } from '../kernel/slug.js';

/** Letters, digits and `-`, `_`, `.`: what an import may be called; more loads from disk. */
const IMPORTABLE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;

export interface SlugHints {
  /** What the caller asked for; nothing else is looked at then. */
  readonly as: string | null;
  /** Of the frontmatter. */
  readonly name: string | null;
  readonly slug: string | null;
  /** Last segment of the folder in the source; null for the root. */
  readonly folderName: string | null;
}

export type ProposedSlug =
  { readonly kind: 'ok'; readonly slug: string } | { readonly kind: 'none'; readonly because: string };

/**
 * The address that an imported skill gets. In an archive folders are wrappers, so the header's name leads when it is
 * of the open grammar; in a repository the folder is where people know the skill by. The name of the archive's file
 * is never asked.
 *
 * @example proposeSlug({ as: null, name: 'pdf', slug: null, folderName: 'skill_package' }, 'zip') // pdf
 */
export function proposeSlug(hints: SlugHints, origin: 'zip' | 'github'): ProposedSlug {
  if (hints.as !== null) {
    const slug = importable(hints.as);
    return slug === null
      ? { kind: 'none', because: `${JSON.stringify(hints.as)} is no acceptable address of a skill` }
      : { kind: 'ok', slug };
  }
  const name = hints.name !== null && isCanonicalSegment(hints.name) ? hints.name : null;
  const order =
    origin === 'zip' ? [name, hints.slug, hints.folderName] : [hints.folderName, hints.name, hints.slug];
  for (const hint of order) {
    const slug = hint === null ? null : importable(hint);
    if (slug !== null) return { kind: 'ok', slug };
  }
  return { kind: 'none', because: 'neither its name nor its folder can be the address of a skill' };
}

function importable(text: string): string | null {
  const check = checkSlug(text.trim());
  if (check.kind === 'invalid') return null;
  return check.slug.split('/').every((segment) => IMPORTABLE.test(segment)) ? check.slug : null;
}
