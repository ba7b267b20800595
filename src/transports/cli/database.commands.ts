import { resolve } from 'node:path';
import { systemAuthor } from '../../events/author.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { backupStored, type RestoreReport, verifyStored } from '../../operations/maintenance.operations.js';
import { describeProblem } from '../../operations/schemas/verification.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { counted } from './finding-lines.js';
import { inline } from './terminal-text.js';
import { verificationLines } from './verification-view.js';

/** Looking at every byte of a large database takes its time. */
const LONG_MS = 3_600_000;

export interface VerifyFlags {
  readonly all?: boolean;
}

/** Looks whether what is stored is whole; exit 1 when it is not. */
export async function verifyCommand(session: CliSession, { all = false }: VerifyFlags): Promise<number> {
  return withBackend(await session.openDatabase(LONG_MS), async (backend) => {
    const verification = await backend.ask(verifyStored, { all });
    session.answer(verification, () => verificationLines(verification));
    return verification.ok ? 0 : 1;
  });
}

/** Writes everything that is stored into one file. */
export async function backupCommand(session: CliSession, file: string): Promise<number> {
  const path = resolve(session.parts.cwd, file);
  return withBackend(await session.openDatabase(LONG_MS), async (backend) => {
    await session.parts.saveFile(path, await backend.download(backupStored, {}));
    session.answer({ file: path }, () => [`written: ${inline(path)}`]);
    return 0;
  });
}

export interface RestoreFlags {
  readonly replace?: boolean;
  readonly force?: boolean;
}

/** Puts a backup into a database that no service works on. */
export async function restoreCommand(
  session: CliSession,
  file: string,
  { replace = false, force = false }: RestoreFlags,
): Promise<number> {
  session.noteUnknownNames();
  if (session.flags.url !== undefined) {
    const detail = 'restore works on the database itself, while no service does; leave --url out';
    throw new SkillwrightError('bad_request', { detail });
  }
  const { parts } = session;
  const { options } = await session.databasePlace();
  const database = await parts.openDatabase(options);
  try {
    const bytes = parts.readFile(resolve(parts.cwd, file));
    const author = systemAuthor('cli', 'restore');
    const report = await database.context.maintenance?.restore(bytes, { replace, force, author });
    if (report === undefined) throw new SkillwrightError('db_unavailable');
    for (const line of remarks(report)) session.note(line);
    session.answer(report, () => [`restored from ${report.made_at}: ${countsLine(report.restored)}`]);
    return 0;
  } finally {
    await database.close();
  }
}

function remarks({ replaced, problems }: RestoreReport): string[] {
  return [
    ...(replaced === null ? [] : [`replaced and gone: ${countsLine(replaced)}`]),
    ...problems.map((problem) => inline(describeProblem(problem))),
  ];
}

function countsLine({
  skills,
  versions,
  presets,
  workflow_versions,
  audit_rows,
}: RestoreReport['restored']): string {
  return [
    counted(skills, 'skill'),
    counted(versions, 'version'),
    counted(presets, 'preset'),
    counted(workflow_versions, 'workflow version'),
    counted(audit_rows, 'audit row'),
  ].join(', ');
}

/** Runs the migrations as a job of their own, so that a service without rights on the schema can start after it. */
export async function migrateCommand(session: CliSession): Promise<number> {
  session.noteUnknownNames();
  const { options } = await session.databasePlace();
  const ran = await session.parts.migrate(options);
  session.answer({ ran }, () =>
    ran.length === 0 ? ['nothing to run: the schema is up to date'] : ran.map((name) => `ran ${name}`),
  );
  return 0;
}
