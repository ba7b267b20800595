import { SkillwrightError } from '../kernel/errors.js';
import { type Finding } from '../kernel/finding.js';
import { type NamedFolder, type Selection } from './skill-folders.js';
import { type StagedSkill } from './staged-skill.js';

/** A skill that a source holds, chosen or not. */
export interface ImportCandidate extends NamedFolder {
  readonly description: string | null;
  /** Plugin of a marketplace.json that names it. */
  readonly plugin: string | null;
}

/** What was asked for, and what it turned out to be. */
export type ImportSource =
  | { readonly kind: 'archive'; readonly sha256: string; readonly size: number }
  | {
      readonly kind: 'github';
      readonly host: string;
      readonly owner: string;
      readonly repo: string;
      readonly repositoryId: number;
      readonly isPrivate: boolean;
      readonly ref: string;
      readonly commit: string;
      readonly path: string;
    };

/** Everything that an import would keep, in memory; nothing was written. */
export interface StagedImport {
  readonly source: ImportSource;
  readonly candidates: readonly ImportCandidate[];
  /** The chosen ones, by path. */
  readonly skills: readonly StagedSkill[];
  /** About the source as a whole. */
  readonly findings: readonly Finding[];
}

/** Which skills the caller wants, and under which address. */
export interface ImportChoice {
  /** Paths, folder names or names; null: the only one there is. */
  readonly select: readonly string[] | null;
  /** Slug in place of the proposed one; for one skill only. */
  readonly as: string | null;
}

/**
 * The chosen folders.
 *
 * @throws SkillwrightError `skill_md_missing`, `skill_md_ambiguous` with the candidates, `bad_request`.
 */
export function requireChosen(
  source: ImportSource,
  candidates: readonly ImportCandidate[],
  selection: Selection<ImportCandidate>,
  { as }: ImportChoice,
): readonly ImportCandidate[] {
  if (selection.kind !== 'chosen') {
    const code = selection.kind === 'none' ? 'skill_md_missing' : 'skill_md_ambiguous';
    const shown = candidates.slice(0, 20).map(({ path }) => (path === '' ? '.' : path));
    const more = candidates.length > shown.length ? ` and ${candidates.length - shown.length} more` : '';
    const there = shown.length === 0 ? '' : `; there are: ${shown.join(', ')}${more}`;
    const rows = candidates.map(candidateRow);
    throw new SkillwrightError(code, {
      detail: `${selection.because}${there}`,
      candidates: rows,
      preview: { source: sourceRow(source), candidates: rows, skills: [] },
    });
  }
  if (as !== null && selection.folders.length > 1) {
    throw new SkillwrightError('bad_request', {
      field: 'as',
      detail: 'as: several skills are selected, and one address cannot be that of all',
    });
  }
  return selection.folders;
}

/** A candidate as answers show it; the root of a source is `.`. */
export function candidateRow({ path, name, description, inside, plugin }: ImportCandidate) {
  return { path: path === '' ? '.' : path, name, description, inside: inside === '' ? '.' : inside, plugin };
}

/** A source as answers show it. */
export function sourceRow(source: ImportSource) {
  if (source.kind === 'archive') return { origin: 'zip' as const, sha256: source.sha256, size: source.size };
  const { host, owner, repo, ref, commit, path, repositoryId, isPrivate } = source;
  return {
    origin: 'github' as const,
    host,
    owner,
    repo,
    repository_id: repositoryId,
    private: isPrivate,
    ref,
    commit,
    path: path === '' ? '.' : path,
  };
}
