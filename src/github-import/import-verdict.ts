import { type ErrorCode } from '../kernel/errors.js';
import { type StagedSkill } from './staged-skill.js';

/** What the catalogue has under the slug of a staged skill. */
export interface ExistingSkill {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  /** Null for a folder that never parsed. */
  readonly digest: string | null;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly mode: string }[];
}

export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What an import of a staged skill would do, or why it would be refused. */
export type ImportVerdict =
  | { readonly kind: 'create' | 'replace' | 'unchanged'; readonly because: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly because: string };

/** A staged skill beside what the catalogue has, and what an import would do. */
export interface JudgedSkill {
  readonly staged: StagedSkill;
  readonly existing: ExistingSkill | null;
  /** Whether a bundled skill has the slug, which this one would hide. */
  readonly shadowsBundled: boolean;
  readonly changes: FileChanges;
  readonly verdict: ImportVerdict;
}

interface VerdictFacts {
  readonly existing: ExistingSkill | null;
  /** Whether a builtin skill has the slug. */
  readonly reserved: boolean;
  /** Whether the caller allows replacing what is there. */
  readonly replace: boolean;
}

/** Decides on one staged skill. */
export function judgeImport(
  { slug, document, digest, fileName }: StagedSkill,
  { existing, reserved, replace }: VerdictFacts,
): ImportVerdict {
  if (!document.valid) {
    const error = document.findings.find(({ severity }) => severity === 'error');
    const line = error?.line === undefined ? '' : ` (${fileName}:${error.line})`;
    const field = error?.field === undefined ? '' : ` "${error.field}"`;
    return refused(codeOf(error?.code), `${error?.message ?? 'SKILL.md is not valid.'}${field}${line}`);
  }
  if (slug === null) {
    return refused('skill_name_invalid', 'neither its name nor its folder can be the address of a skill');
  }
  if (reserved)
    return refused('skill_protected', `"${slug}" is the name of a builtin skill; choose another with "as"`);
  if (existing === null) return { kind: 'create', because: `there is no skill "${slug}" in the workspace` };
  if (existing.digest === digest)
    return { kind: 'unchanged', because: `"${slug}" has exactly these files already` };
  if (replace)
    return { kind: 'replace', because: `version ${existing.version} of "${slug}" would be replaced` };
  return refused(
    'skill_exists',
    `the workspace has a skill "${slug}"; allow replacing it, or choose another slug`,
  );
}

export function compareFiles(staged: StagedSkill, existing: ExistingSkill | null): FileChanges {
  const before = new Map(existing?.files.map((file) => [file.path, file]));
  const after = new Set(staged.files.map(({ path }) => path));
  const isChanged = (file: StagedSkill['files'][number]): boolean => {
    const old = before.get(file.path);
    return old !== undefined && (old.sha256 !== file.sha256 || old.mode !== file.mode);
  };
  return {
    added: staged.files.filter(({ path }) => !before.has(path)).map(({ path }) => path),
    changed: staged.files.filter(isChanged).map(({ path }) => path),
    removed: Array.from(before.keys()).filter((path) => !after.has(path)),
  };
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'skill_md_too_large') return 'skill_md_too_large';
  return code === 'name_invalid' ? 'skill_name_invalid' : 'skill_md_invalid';
}

function refused(code: ErrorCode, because: string): ImportVerdict {
  return { kind: 'refused', code, because };
}
