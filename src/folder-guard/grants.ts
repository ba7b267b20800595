import { checkSlug } from '../kernel/slug.js';

/** What a step may touch: paths relative to the workspace, with `/`. */
export interface FolderGrants {
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
}

/** Grants for skills, and the names that got none. */
export interface SkillGrants extends FolderGrants {
  readonly refused: readonly { readonly slug: string; readonly because: string }[];
}

const NO_PATHS: readonly string[] = [];

/**
 * Read-only grants for skill folders: per slug, in order, `skills/<slug>/` and `skills/<slug>`.
 * A name that is no slug (empty, absolute, with `..`) grants nothing and is reported; it never widens
 * what the others grant. Skills never bring a write path.
 *
 * @example
 * buildSkillFolderGuardPaths(['pdf', '../x'])
 * // { readPaths: ['skills/pdf/', 'skills/pdf'], writePaths: [],
 * //   refused: [{ slug: '../x', because: 'a path segment starts with "." or "_"' }] }
 */
export function buildSkillFolderGuardPaths(slugs: Iterable<string>): SkillGrants {
  const readPaths = new Set<string>();
  const refused: { slug: string; because: string }[] = [];
  for (const given of slugs) {
    const check = checkSlug(given);
    if (check.kind === 'invalid') {
      refused.push({ slug: given, because: check.because });
      continue;
    }
    const folder = `skills/${check.slug}`;
    readPaths.add(`${folder}/`).add(folder);
  }
  return { readPaths: [...readPaths], writePaths: NO_PATHS, refused };
}

/** The grant for the folder that a learnings pointer directs to; never more than that folder. */
export function learningsReadPaths(workflowId: string): readonly string[] {
  const folder = `workflows/${workflowId}/learnings/_global`;
  return [`${folder}/`, folder];
}
