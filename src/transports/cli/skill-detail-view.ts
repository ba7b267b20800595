import { type z } from 'zod';
import { type skillFilesSchema, type skillSchema } from '../../operations/schemas/skill.js';
import { findingLine } from './finding-lines.js';
import { type Paint, paintWord } from './paint.js';
import { type ReadOnly } from './read-only.js';
import { inline } from './terminal-text.js';

export type SkillDetail = ReadOnly<z.output<typeof skillSchema>>;
export type SkillFiles = ReadOnly<z.output<typeof skillFilesSchema>['files']>;

/** One skill for a person: what it is, who uses it, what is remarkable, which files it has. */
export function skillDetailLines(skill: SkillDetail, files: SkillFiles, paint: Paint): string[] {
  const facts: [string, string][] = [
    ['name', skill.name],
    ['description', skill.description || '(none)'],
    ['state', skill.availability],
    ['source', `${skill.source} (${skill.file_path})`],
    ['version', skill.version === 0 ? 'none, it never parsed' : String(skill.version)],
    ['digest', skill.digest ?? '(none)'],
    ['author', skill.author ?? ''],
    ['tags', skill.tags.join(', ')],
    ['missing', skill.missing_deps.join(', ')],
    ['for the model', skill.disable_model_invocation ? 'hidden from listings, an explicit read works' : ''],
    ['id', skill.id],
  ];
  const lines = [paint('bold', inline(skill.slug))];
  for (const [label, text] of facts) {
    if (text === '') continue;
    const value = inline(text);
    lines.push(`  ${`${label}:`.padEnd(15)}${label === 'state' ? paintWord(paint, value) : value}`);
  }
  section(
    lines,
    paint,
    'used by',
    (skill.usage ?? []).map(({ kind, label }) => `${kind} ${inline(label)}`),
  );
  section(
    lines,
    paint,
    'remarks',
    (skill.findings ?? []).map((one) => findingLine(one, paint)),
  );
  section(
    lines,
    paint,
    'files',
    files.map(({ path, size, mode }) => `${mode} ${String(size).padStart(9)}  ${inline(path)}`),
  );
  return lines;
}

function section(lines: string[], paint: Paint, title: string, rows: readonly string[]): void {
  if (rows.length === 0) return;
  lines.push('', paint('bold', title), ...rows.map((row) => `  ${row}`));
}
