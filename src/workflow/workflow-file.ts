import { finding, quoteFound, type Finding } from '../kernel/finding.js';
import { memberOf, parseJsonText, positionAt, valueOf } from './json-text.js';

/** What workflow.json says; all its other keys are other programs' business. */
export type WorkflowFile =
  | {
      readonly kind: 'ok';
      /** Id or label of a preset; null when none is named. */
      readonly preset: string | null;
    }
  | { readonly kind: 'invalid'; readonly findings: readonly Finding[] };

export const NO_WORKFLOW_FILE: WorkflowFile = { kind: 'ok', preset: null };

/**
 * Reads workflow.json; never throws.
 *
 * @example parseWorkflowFile('{"preset": "Research"}', 'workflows/demo/workflow.json') // { kind: 'ok', preset: 'Research' }
 */
export function parseWorkflowFile(text: string, path: string): WorkflowFile {
  const parsed = parseJsonText(text);
  if (parsed.kind === 'invalid') {
    const { line, column, because } = parsed;
    const message = `not JSON at line ${line}, column ${column}: ${because}`;
    return { kind: 'invalid', findings: [finding('json_invalid', { message, path, line, column })] };
  }
  if (parsed.root.kind !== 'object') {
    return { kind: 'invalid', findings: [finding('workflow_file_shape', { path, line: 1 })] };
  }
  const node = memberOf(parsed.root, 'preset')?.value;
  const preset: unknown = node ? valueOf(text, node) : null;
  if (preset === null) return NO_WORKFLOW_FILE;
  if (typeof preset === 'string' && preset.trim() !== '') return { kind: 'ok', preset: preset.trim() };
  const { line } = positionAt(text, node?.start ?? 0);
  const message = 'preset must be the id or the label of a preset';
  const found = quoteFound(JSON.stringify(preset));
  const problem = finding('workflow_file_shape', { message, path, line, field: 'preset', found });
  return { kind: 'invalid', findings: [problem] };
}
