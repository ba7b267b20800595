import { type FindingCode } from '../../kernel/finding-codes.js';
import { type Finding } from '../../kernel/finding.js';
import { type SkillDocument } from './skill-document.js';
import { folderFindings } from './skill-name.js';

export interface ValidateOptions {
  /** Turns every breach of the open Agent Skills specification into an error. Default false: it loads. */
  readonly strict?: boolean;
  /** Judge the document as if it lay in this folder. Default: as it was parsed. */
  readonly folderName?: string;
}

/** What the open specification does not allow, though we load it. Unknown keys stay warnings: clients skip them. */
const SPEC_BREACHES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'name_missing',
  'name_mismatch',
  'name_nonconforming',
  'field_too_long',
  'field_type',
  'field_blank',
  'metadata_not_text',
  'blank_before_frontmatter',
  'yaml_recovered',
]);

const OF_THE_FOLDER: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'name_missing',
  'name_mismatch',
  'slug_mismatch',
]);

/**
 * Every finding of a document, errors first.
 *
 * @example validateSkill(parseSkill(text, { limits }), { strict: true, folderName: 'pdf' })
 */
export function validateSkill(document: SkillDocument, options: ValidateOptions = {}): Finding[] {
  const { strict = false, folderName } = options;
  const found = folderName === undefined ? document.findings : judgedIn(document, folderName);
  const judged = found.map((remark) =>
    strict && SPEC_BREACHES.has(remark.code) ? { ...remark, severity: 'error' as const } : remark,
  );
  const isError = (remark: Finding): boolean => remark.severity === 'error';
  return [...judged.filter(isError), ...judged.filter((remark) => !isError(remark))];
}

/** The findings with those about the folder made anew. */
function judgedIn(document: SkillDocument, folderName: string): Finding[] {
  const { findings, frontmatter, keys, spans } = document;
  const kept = findings.filter(
    ({ code, field }) => !OF_THE_FOLDER.has(code) && !(code === 'field_missing' && field === 'name'),
  );
  if (keys === null) return kept;
  const path = findings.find((remark) => remark.path !== undefined)?.path;
  const declared = { name: frontmatter.name, slug: frontmatter.slug, nameGiven: 'name' in keys };
  const anew = folderFindings(declared, folderName).map((remark) => {
    const span = remark.field === undefined ? undefined : spans.get(remark.field);
    return {
      ...remark,
      ...(span && { line: span.line, column: span.column }),
      ...(path !== undefined && { path }),
    };
  });
  return [...kept, ...anew];
}
