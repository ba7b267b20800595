import { type z } from 'zod';
import { type effectiveSkillsSchema } from '../../operations/schemas/workflow.js';
import { counted, findingLine } from './finding-lines.js';
import { type Paint } from './paint.js';
import { type ReadOnly } from './read-only.js';
import { block, inline } from './terminal-text.js';

export type Resolution = ReadOnly<z.output<typeof effectiveSkillsSchema>>;

/** The main answer for a person: what the step gets and why, what it does not get and why. */
export function resolutionLines(answer: Resolution, paint: Paint): string[] {
  const { workflow_id, step_id, preset_id, decided_by, skills, rejected, warnings } = answer;
  const preset = preset_id === null ? 'no preset' : `preset ${inline(preset_id)}`;
  const lines = [
    paint('bold', `workflow ${inline(workflow_id ?? '-')}, step ${inline(step_id ?? '-')}`) +
      `: ${counted(skills.length, 'skill')}, decided by ${decided_by} (${preset})`,
  ];
  for (const skill of skills) {
    const state = skill.status === 'archived' ? ', archived' : '';
    lines.push(
      `  ${paint('green', inline(skill.slug))} v${skill.version} [${skill.mode}${state}]: ${inline(skill.because.text)}`,
    );
    for (const warning of skill.warnings) lines.push(`    ${findingLine(warning, paint)}`);
  }
  section(lines, paint, 'rejected', rejectedLines(rejected, paint));
  section(
    lines,
    paint,
    'warnings',
    warnings.map((warning) => findingLine(warning, paint)),
  );
  listing(lines, answer, paint);
  section(
    lines,
    paint,
    'tools',
    (answer.tools ?? []).map(({ name }) => inline(name)),
  );
  section(lines, paint, 'read paths', (answer.folder_guard?.read_paths ?? []).map(inline));
  section(lines, paint, 'attachments', (answer.attachments ?? []).map(attachmentLine));
  section(
    lines,
    paint,
    'trace',
    (answer.trace ?? []).map((one) => inline(typeof one === 'string' ? one : JSON.stringify(one))),
  );
  return lines;
}

/** One line a reference that gave no skill. */
export function rejectedLines(rejected: Resolution['rejected'], paint: Paint): string[] {
  return rejected.map(
    ({ ref, code, because }) => `${paint('red', inline(ref))} ${code}: ${inline(because.text)}`,
  );
}

function listing(lines: string[], { listing: shown, prompt }: Resolution, paint: Paint): void {
  if (shown !== undefined && shown.mode !== 'none') {
    lines.push(
      '',
      paint('bold', `listing (${shown.mode}, ${shown.format}, ${counted(shown.tokens, 'token')})`),
    );
    if (shown.text !== '') lines.push(block(shown.text).trimEnd());
    for (const { what, count, slugs } of shown.cut) {
      lines.push(`cut: ${what} on ${counted(count, 'skill')}: ${slugs.map(inline).join(', ')}`);
    }
  }
  if (prompt !== undefined && prompt.preloaded.length > 0) {
    lines.push(
      '',
      `preloaded: ${prompt.preloaded.map(inline).join(', ')} (${counted(prompt.tokens, 'token')})`,
    );
  }
}

function attachmentLine({
  name,
  path,
  supporting_files,
}: NonNullable<Resolution['attachments']>[number]): string {
  return `${inline(name)} (${inline(path ?? 'not on disk')}), ${counted(supporting_files.length, 'supporting file')}`;
}

function section(lines: string[], paint: Paint, title: string, rows: readonly string[]): void {
  if (rows.length === 0) return;
  lines.push('', paint('bold', title), ...rows.map((row) => `  ${row}`));
}
