import { finding, quoteFound, type Finding } from '../kernel/finding.js';
import { memberOf, nearestNode, parseJsonText, positionAt, valueOf, type JsonNode } from './json-text.js';
import { readStep, type StepReading, type StepRemark, type StepSettings } from './step-settings.js';

/** One entry of the file: usable, or wrong by itself while the others stay usable. */
export type ConfiguredStep =
  | { readonly kind: 'ok'; readonly step: StepSettings; readonly findings: readonly Finding[] }
  | { readonly kind: 'invalid'; readonly id: string; readonly findings: readonly Finding[] };

/** A whole step_config.json: its steps by id in file order, or what makes the file unusable. */
export type StepConfig =
  | {
      readonly kind: 'ok';
      readonly steps: ReadonlyMap<string, ConfiguredStep>;
      /** Remarks about the file and every step, wrong steps without an id too. */
      readonly findings: readonly Finding[];
    }
  | { readonly kind: 'invalid'; readonly findings: readonly Finding[] };

/** What a workflow without a file has. */
export const NO_STEP_CONFIG: StepConfig = { kind: 'ok', steps: new Map(), findings: [] };

/**
 * Reads step_config.json; never throws. Not JSON, another shape than `{"steps": [...]}` and two steps of one id
 * make the whole file unusable; a wrong step is wrong alone. Findings name file, line, step and field.
 *
 * @example parseStepConfig('{"steps": [{"id": "s1"}]}', 'workflows/demo/step_config.json')
 */
export function parseStepConfig(text: string, path: string): StepConfig {
  const parsed = parseJsonText(text);
  if (parsed.kind === 'invalid') {
    const { line, column, because } = parsed;
    const message = `not JSON at line ${line}, column ${column}: ${because}`;
    return { kind: 'invalid', findings: [finding('json_invalid', { message, path, line, column })] };
  }
  const { root } = parsed;
  const list = memberOf(root, 'steps')?.value;
  if (root.kind !== 'object' || list?.kind !== 'array') return wrongShape(text, path, root, list);

  const readings = list.items.map((node, index) => ({
    reading: readStep(valueOf(text, node), `step ${index}`),
    place: (remark: StepRemark) => placed(remark, node, index, text, path),
  }));
  const duplicates = duplicateIds(readings.map(({ reading }) => idOf(reading)));
  if (duplicates.length > 0) {
    return {
      kind: 'invalid',
      findings: duplicates.map(({ id, first, second }) =>
        finding('step_duplicate', {
          message: `steps ${first} and ${second} have the same id ${quoteFound(id)}`,
          path,
          line: lineOf(text, nearestNode(list, [second, 'id'])),
          field: `steps.${second}.id`,
        }),
      ),
    };
  }
  const steps = new Map<string, ConfiguredStep>();
  const findings: Finding[] = [];
  for (const { reading, place } of readings) {
    const remarks = reading.remarks.map(place);
    findings.push(...remarks);
    const id = idOf(reading);
    if (reading.kind === 'ok')
      steps.set(reading.step.id, { kind: 'ok', step: reading.step, findings: remarks });
    else if (id !== null) steps.set(id, { kind: 'invalid', id, findings: remarks });
  }
  return { kind: 'ok', steps, findings };
}

function wrongShape(text: string, path: string, root: JsonNode, list: JsonNode | undefined): StepConfig {
  const what =
    root.kind !== 'object'
      ? 'the file is not an object'
      : list
        ? '"steps" is not a list'
        : '"steps" is missing';
  const line = lineOf(text, list ?? root);
  const field = root.kind === 'object' ? 'steps' : '';
  return { kind: 'invalid', findings: [finding('step_config_shape', { message: what, path, line, field })] };
}

function placed(remark: StepRemark, node: JsonNode, index: number, text: string, path: string): Finding {
  const field = ['steps', index, ...remark.path].join('.');
  return { ...remark.finding, path, line: lineOf(text, nearestNode(node, remark.path)), field };
}

function idOf(reading: StepReading): string | null {
  return reading.kind === 'ok' ? reading.step.id : reading.id;
}

function duplicateIds(ids: readonly (string | null)[]): { id: string; first: number; second: number }[] {
  const seen = new Map<string, number>();
  const found: { id: string; first: number; second: number }[] = [];
  for (const [index, id] of ids.entries()) {
    if (id === null) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    else found.push({ id, first, second: index });
  }
  return found;
}

function lineOf(text: string, node: JsonNode): number {
  return positionAt(text, node.start).line;
}
