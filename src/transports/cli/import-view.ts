import { type z } from 'zod';
import { type importPreviewSchema } from '../../operations/schemas/import.js';
import { counted, findingLine } from './finding-lines.js';
import { type Paint } from './paint.js';
import { type ReadOnly } from './read-only.js';
import { inline } from './terminal-text.js';

type Preview = ReadOnly<z.output<typeof importPreviewSchema>['preview']>;

/** What an import would bring, for a person: each skill with what would become of it, its files and remarks. */
export function importPreviewLines({ source, skills, findings }: Preview, paint: Paint): string[] {
  const { owner, repo, ref, commit } = source;
  const from =
    source.origin === 'github'
      ? `${owner ?? ''}/${repo ?? ''} at ${ref ?? ''} (${(commit ?? '').slice(0, 12)})`
      : `archive of ${source.size ?? 0} bytes`;
  return [
    `from ${inline(from)}`,
    ...findings.map((one) => `  ${findingLine(one, paint)}`),
    ...skills.flatMap((skill) => skillLines(skill, paint)),
  ];
}

function skillLines(skill: Preview['skills'][number], paint: Paint): string[] {
  const { changes } = skill;
  const marks = new Map([
    ...changes.added.map((path) => [path, '+'] as const),
    ...changes.changed.map((path) => [path, '~'] as const),
  ]);
  return [
    '',
    `${paint('bold', inline(skill.slug ?? skill.path))} ${skill.action}: ${inline(skill.because)}`,
    `  ${inline(skill.description ?? '(no description)')}`,
    ...(skill.disabled_because === null
      ? []
      : [`  would arrive disabled: ${inline(skill.disabled_because)}`]),
    ...skill.findings.map((one) => `  ${findingLine(one, paint)}`),
    ...skill.files.map(
      ({ path, size, mode }) =>
        `  ${marks.get(path) ?? ' '} ${mode} ${String(size).padStart(9)}  ${inline(path)}`,
    ),
    ...changes.removed.map((path) => `  - ${inline(path)}`),
    `  ${counted(skill.files.length, 'file')}, ${skill.size} bytes`,
  ];
}
