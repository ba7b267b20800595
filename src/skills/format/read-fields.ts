import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { fieldName, similarField } from './field-names.js';
import { emptyDraft, SETTERS } from './field-setters.js';
import { type ParsedMapping } from './parsed-mapping.js';
import { type SkillFrontmatter } from './skill-document.js';

export interface FieldsRead {
  readonly frontmatter: SkillFrontmatter;
  readonly findings: readonly Finding[];
}

/** Types the known fields. Unknown keys are only remarked on: nothing else of a file is ever read as settings. */
export function readFields({ keys, places }: ParsedMapping): FieldsRead {
  const draft = emptyDraft();
  const findings: Finding[] = [];
  for (const { key, line, column } of places) {
    const known = fieldName(key);
    if (known === null) {
      findings.push({ ...unknownKey(key), line, column });
      continue;
    }
    const { field, twin } = known;
    if (twin) {
      const hint = `Write ${field}.`;
      findings.push(finding('field_spelling', { field, line, column, found: quoteFound(key), hint }));
      // Where both spellings stand the known one counts; a flag that hides counts in either.
      if (field in keys && !HIDING.has(field)) continue;
    }
    const remarks = SETTERS[field]?.(draft, keys[key] ?? null) ?? [];
    for (const remark of remarks) findings.push({ field, line, column, ...remark });
  }
  if (!('description' in keys)) {
    const hint = 'Say what the skill does and when to use it.';
    findings.push(finding('field_missing', { field: 'description', hint }));
  }
  return { frontmatter: draft, findings };
}

const HIDING: ReadonlySet<string> = new Set(['disable-model-invocation', 'user-invocable']);

function unknownKey(key: string): Finding {
  const similar = similarField(key);
  return finding('field_unknown', { field: key, ...(similar && { hint: `Is ${similar} meant?` }) });
}
