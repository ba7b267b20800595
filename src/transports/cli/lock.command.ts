import { resolve } from 'node:path';
import { SkillwrightError } from '../../kernel/errors.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { counted } from './finding-lines.js';
import { inline } from './terminal-text.js';

const OURS = 'skillwright-lock.json';
const VERCEL = 'skills-lock.json';
const MAX_BYTES = 16_777_216;

/** Exit 1 when a skill is missing or not the one that was locked. */
export async function verifyLockCommand(session: CliSession, file: string | undefined): Promise<number> {
  const { verifyLock } = await import('../../operations/locks.operations.js');
  const { parts, paint } = session;
  const name = file ?? [OURS, VERCEL].find((one) => parts.isFile(resolve(parts.cwd, one)));
  if (name === undefined) {
    throw new SkillwrightError('file_not_found', { detail: `there is no ${OURS} and no ${VERCEL} here` });
  }
  const text = parts.readWhole(resolve(parts.cwd, name), MAX_BYTES).toString('utf8');
  return withBackend(await session.openOwnFolder(), async (backend) => {
    const report = await backend.ask(verifyLock, { text });
    session.answer(report, () => [
      ...report.skills.map(({ name: skill, state, expected, found }) => {
        const because = state === 'changed' ? `, locked ${expected}, found ${found ?? 'none'}` : '';
        return `${paint(state === 'same' ? 'green' : 'red', state)} ${inline(skill)}${because}`;
      }),
      `${counted(report.skills.length, 'skill')} of ${inline(name)} ${report.valid ? 'as locked' : 'compared'}`,
    ]);
    return report.valid ? 0 : 1;
  });
}

export async function writeLockCommand(session: CliSession, file: string = OURS): Promise<number> {
  const { writeLock } = await import('../../operations/locks.operations.js');
  return withBackend(await session.openOwnFolder(), async (backend) => {
    const { text, count } = await backend.ask(writeLock, {});
    session.parts.replaceFile(resolve(session.parts.cwd, file), text);
    session.answer({ file, count }, () => [`${counted(count, 'skill')} locked in ${inline(file)}`]);
    return 0;
  });
}
