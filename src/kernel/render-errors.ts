import { ERRORS } from './errors.js';
import { FINDINGS } from './finding-codes.js';
import { REASONS, REJECTIONS } from './resolution-codes.js';

/** `docs/errors.md`. */
export function renderErrorsDoc(): string {
  const lines = [
    '# Codes',
    '',
    'Generated from the tables in `src/kernel`; `npm run docs` writes this file. Each list is closed.',
    '',
    '## Errors',
    '',
    'An error is a refusal. Over HTTP it is `application/problem+json` with `code`, `request_id` and `issues[]`.',
    '',
    ...table(
      ['code', 'HTTP', 'WebSocket', 'exit', 'meaning'],
      Object.entries(ERRORS).map(([code, e]) => [code, String(e.http), e.ws, String(e.exit), e.message]),
    ),
    '',
    '## Rejections',
    '',
    'Why a reference in a preset or step gave no skill (`rejected[].code`).',
    '',
    ...table(['code', 'meaning'], Object.entries(REJECTIONS)),
    '',
    '## Reasons',
    '',
    'Why a step has a skill, or why something was rejected (`because.kind`).',
    '',
    ...table(['kind', 'meaning'], Object.entries(REASONS)),
    '',
    '## Findings',
    '',
    'A finding is a remark. An `error` keeps a skill from being offered; the rest only inform.',
    '',
    ...table(
      ['code', 'severity', 'meaning'],
      Object.entries(FINDINGS).map(([code, f]) => [code, f.severity, f.message]),
    ),
    '',
  ];
  return lines.join('\n');
}

function table(head: string[], rows: string[][]): string[] {
  const row = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
  const coded = rows.map(([code = '', ...rest]) => row([`\`${code}\``, ...rest]));
  return [row(head), row(head.map(() => '---')), ...coded];
}
