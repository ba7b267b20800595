import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SKILLS = resolve('workspace-docs/skills');
const FIXTURES = resolve('test/fixtures/workspace-docs');

interface Run {
  readonly what: string;
  /** Relative to workspace-docs/skills. */
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly status: number;
  readonly says: readonly string[];
}

const csv = (name: string) => `csv-profiler/scripts/${name}.py`;
const RUNS: readonly Run[] = [
  {
    what: 'profiles a table and fails on a row of another width',
    script: csv('profile_csv'),
    args: ['orders.csv'],
    status: 1,
    says: [
      'orders.csv: 6 rows, 4 columns, delimiter ","',
      '  1 row with another number of fields (line 7)',
      '  1 duplicate row',
      'order_id  integer  100%    5         1..5',
      'zip       text     100%    5         top: "04000" x2; leading zeros',
      '1 value is not a number: "n/a"',
    ],
  },
  {
    what: 'profiles standard input up to a number of rows',
    script: csv('profile_csv'),
    args: ['-', '--max-rows', '2', '--format', 'json'],
    stdin: 'orders-before.csv',
    status: 0,
    says: ['"delimiter": ";"', '"stopped after 2 rows"'],
  },
  {
    what: 'compares two tables by key',
    script: csv('compare_csv'),
    args: ['orders-before.csv', 'orders-after.csv', '--key', 'order_id'],
    status: 1,
    says: [
      'columns added: currency',
      'rows added: 1 (A-4)',
      'rows removed: 1 (A-2)',
      'rows changed: 2 (status 1, total 1)',
      '  A-1: status: "open" -> "paid"',
    ],
  },
  {
    what: 'refuses a key that is not unique',
    script: csv('compare_csv'),
    args: ['orders-before.csv', 'orders-after.csv', '--key', 'status'],
    status: 2,
    says: ['the key status is not unique (open)'],
  },
  {
    what: 'finds two equal tables equal',
    script: csv('compare_csv'),
    args: ['orders-before.csv', 'orders-before.csv', '--key', 'order_id'],
    status: 0,
    says: ['The tables are equal.'],
  },
  {
    what: 'groups log lines and counts a stack trace with its message',
    script: 'log-triage/scripts/cluster_logs.py',
    args: ['app.log'],
    status: 0,
    says: [
      'app.log: 5 lines, 4 messages, 2026-03-02T10:00:01 to 2026-03-02T10:02:10',
      '  2  error  10:01:00..10:02:09  payment <n> failed: timeout after <n>ms',
      'waiting for <text>',
      'request <hex> done in <n>ms',
    ],
  },
  {
    what: 'marks what a good period did not have',
    script: 'log-triage/scripts/cluster_logs.py',
    args: ['app.log', '--level', 'warn', '--baseline', 'app-yesterday.log'],
    status: 0,
    says: ['payment <n> failed: timeout after <n>ms  was 1', 'waiting for <text>  NEW'],
  },
  {
    what: 'orders a diff by what deserves reading first',
    script: 'code-review/scripts/diff_map.py',
    args: [],
    stdin: 'change.diff',
    status: 0,
    says: [
      '4 files, +5 -4',
      '  1. src/migrations/004-drop-notes.sql  new +2 -0 (migration or schema)',
      '  2. test/notes.spec.ts  deleted +0 -2 (deleted test)',
      '  4. package-lock.json  changed +1 -1 (generated: skim)',
    ],
  },
  {
    what: 'refuses what is not a diff',
    script: 'code-review/scripts/diff_map.py',
    args: [],
    stdin: 'orders.csv',
    status: 2,
    says: ['not a unified diff'],
  },
  {
    what: 'ranks leads and keeps unknown apart from no',
    script: 'lead-research-assistant/scripts/score_leads.py',
    args: ['leads.csv', '--weight', 'fleet=3', '--weight', 'timing=2', '--must', 'region'],
    status: 0,
    says: [
      '   1     87   100%  North Parcel',
      '   2     67    60%  Bakery Lindgren  (unknown: timing)',
      'to check: Harbor Freight Co-op (region is not known)',
      'excluded: Vanguard Logistics (region is 0)',
    ],
  },
  {
    what: 'names the column that a table of leads lacks',
    script: 'lead-research-assistant/scripts/score_leads.py',
    args: ['leads.csv', '--weight', 'budget=1'],
    status: 2,
    says: ['no column budget'],
  },
  {
    what: 'checks the definitions of MCP tools',
    script: 'mcp-builder/scripts/check_tools.py',
    args: ['tools.jsonl'],
    status: 1,
    says: [
      'error    delete_order: requires id, which it does not describe',
      'warning  delete_order: destructiveHint is not stated',
    ],
  },
  {
    what: 'groups commits for users and proposes a version',
    script: 'custom/release-notes/scripts/group_commits.py',
    args: ['commits.txt', '--previous', '1.4.0'],
    status: 0,
    says: [
      'proposed version: 2.0.0 (2 features, 1 fix, 1 breaking change)',
      'breaking\n  a1b2c3d api: drop the old login route -- Clients must use /v2/login.',
      'to sort by hand\n  4f5a6b7 Tidy up',
    ],
  },
];

const allScripts = readdirSync(SKILLS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.parentPath.endsWith('scripts') && !entry.name.endsWith('.pyc'))
  .map((entry) => relative(SKILLS, join(entry.parentPath, entry.name)));

// The interpreter itself: on some machines `python3` is a slow wrapper that looks for it on every call.
const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const python = found.status === 0 ? found.stdout.trim() : null;
if (python === null) {
  process.stderr.write('SKIPPED: python3 is missing, so no script of workspace-docs was run.\n');
}
const itRuns = python === null ? it.skip : it;

function run(script: string, args: readonly string[], stdin?: string) {
  return spawnSync(python ?? 'python3', [join(SKILLS, script), ...args], {
    cwd: FIXTURES,
    encoding: 'utf8',
    input: stdin === undefined ? '' : readFileSync(join(FIXTURES, stdin)),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

describe('the scripts of the sample skills', () => {
  it('are all run by this suite', () => {
    expect([...new Set(RUNS.map(({ script }) => script))].sort()).toEqual([...allScripts].sort());
  });

  itRuns.each(RUNS.map((row) => [row.script, row.what, row] as const))('%s %s', (_script, _what, row) => {
    const result = run(row.script, row.args, row.stdin);
    const output = result.stdout + result.stderr;
    for (const text of row.says) expect(output).toContain(text);
    expect(result.status).toBe(row.status);
  });

  itRuns.each(allScripts)('%s takes no option that its skill leaves out', (script) => {
    const { stdout } = run(script, ['--help']);
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    const skill = readFileSync(join(SKILLS, script, '../../SKILL.md'), 'utf8');
    expect(options).toContain('--help');
    expect(options.filter((option) => option !== '--help' && !skill.includes(option!))).toEqual([]);
  });
});
