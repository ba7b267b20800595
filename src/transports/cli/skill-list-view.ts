import { type z } from 'zod';
import { type skillListSchema } from '../../operations/schemas/skill.js';
import { counted, countSeverities, countsText } from './finding-lines.js';
import { type Paint } from './paint.js';
import { type ReadOnly } from './read-only.js';
import { renderTable } from './table.js';
import { inline } from './terminal-text.js';

export type SkillRow = ReadOnly<z.output<typeof skillListSchema>['skills'][number]>;

/** A row that is not in the short list, with the reason. */
export interface NotShown {
  readonly row: SkillRow;
  /** One sentence. */
  readonly because: string;
}

export interface SplitRows {
  /** Every row of a skill that somebody can use or switch on. */
  readonly shown: readonly SkillRow[];
  readonly notShown: readonly NotShown[];
}

/**
 * Splits the rows into those of the short list and those that would only be in its way: broken and hidden ones,
 * and builtins where nobody installed them (`hideBuiltins`). Each of the latter keeps its reason.
 */
export function splitRows(rows: readonly SkillRow[], options: { readonly hideBuiltins: boolean }): SplitRows {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shown: SkillRow[] = [];
  const notShown: NotShown[] = [];
  for (const row of rows) {
    const because = reasonNotShown(row, byId, options.hideBuiltins);
    if (because === null) shown.push(row);
    else notShown.push({ row, because });
  }
  return { shown, notShown };
}

function reasonNotShown(
  row: SkillRow,
  byId: ReadonlyMap<string, SkillRow>,
  hideBuiltins: boolean,
): string | null {
  switch (row.availability) {
    case 'shadowed': {
      const winner = row.shadowed_by === null ? undefined : byId.get(row.shadowed_by);
      return winner === undefined
        ? 'an earlier location has a skill of the same address'
        : `hidden by the one in "${winner.source}", ${winner.file_path}`;
    }
    case 'invalid':
      return firstProblem(row);
    case 'deleted':
      return 'the skill was deleted';
    case 'revoked':
      return 'the skill was revoked';
    case 'available':
    case 'degraded':
    case 'disabled':
      return hideBuiltins && row.builtin ? 'a builtin skill' : null;
  }
}

function firstProblem({ findings = [], description }: SkillRow): string {
  const problem = findings.find(({ severity }) => severity === 'error') ?? findings[0];
  if (problem === undefined) return description === '' ? 'it has no description' : 'it cannot be offered';
  const { message, found, path, line } = problem;
  const place = path === undefined ? '' : ` (${line === undefined ? path : `${path}:${line}`})`;
  return `${message}${found === undefined || message.includes(found) ? '' : ` ${found}`}${place}`;
}

export interface ListViewOptions {
  readonly all: boolean;
  readonly width: number | null;
  readonly paint: Paint;
}

/** The table, and below it what is not in it. */
export function skillListLines(
  { shown, notShown }: SplitRows,
  { all, width, paint }: ListViewOptions,
): string[] {
  const rows = all ? [...shown, ...notShown.map(({ row }) => row)] : shown;
  const lines =
    rows.length === 0
      ? []
      : renderTable({
          head: ['skill', 'source', 'state', 'description'],
          rows: rows.map((row) => [address(row), row.source, state(row), row.description]),
          width,
          paint,
        });
  if (all && notShown.length > 0) {
    lines.push('', paint('bold', 'not offered'));
    for (const { row, because } of notShown) {
      lines.push(`  ${inline(row.slug)} [${inline(row.source)}]: ${inline(because)}`);
    }
  }
  return lines;
}

/** What a person should know besides the table; goes to stderr so that a pipe gets rows only. */
export function skillListNotes({ shown, notShown }: SplitRows, all: boolean): string[] {
  const notes: string[] = [];
  if (shown.length === 0) notes.push('no skills');
  if (!all) {
    const broken = notShown.filter(({ row }) => row.availability === 'invalid');
    for (const { row, because } of broken)
      notes.push(`${inline(row.slug)} is not offered: ${inline(because)}`);
    const others = notShown.length - broken.length;
    if (others > 0)
      notes.push(`${counted(others, 'hidden skill')} not shown; --all shows them with the reason`);
  }
  const remarks = shown.flatMap(({ findings = [] }) =>
    findings.filter(({ severity }) => severity !== 'info'),
  );
  if (remarks.length > 0) {
    const skills = shown.filter(({ findings = [] }) => findings.some(({ severity }) => severity !== 'info'));
    notes.push(
      `${countsText(countSeverities(remarks))} on ${counted(skills.length, 'skill')}: ${names(skills)}; ` +
        '`skillwright show SKILL` lists them',
    );
  }
  return notes;
}

function names(rows: readonly SkillRow[]): string {
  const few = rows.slice(0, 5).map(({ slug }) => inline(slug));
  return `${few.join(', ')}${rows.length > few.length ? ', …' : ''}`;
}

function address({ slug, name }: SkillRow): string {
  return name === slug.slice(slug.lastIndexOf('/') + 1) ? slug : `${slug} (${name})`;
}

function state({ availability, missing_deps }: SkillRow): string {
  return missing_deps.length === 0 ? availability : `${availability}: ${missing_deps.join(', ')}`;
}
