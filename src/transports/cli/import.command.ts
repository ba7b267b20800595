import { resolve } from 'node:path';
import { type z } from 'zod';
import { type importPreviewSchema } from '../../operations/schemas/import.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { importPreviewLines } from './import-view.js';

export interface ImportFlags {
  readonly dryRun?: true;
  readonly select?: readonly string[];
  readonly as?: string;
  readonly replace?: true;
  readonly ref?: string;
}

/** A file of this machine is an archive; everything else is an address on GitHub. */
export async function importCommand(
  session: CliSession,
  source: string,
  flags: ImportFlags,
): Promise<number> {
  const { importSkills, uploadSkills } = await import('../../operations/imports.operations.js');
  const { parts } = session;
  const choice = {
    dry_run: flags.dryRun === true,
    replace: flags.replace === true,
    ...(flags.select !== undefined && { select: [...flags.select] }),
    ...(flags.as !== undefined && { as: flags.as }),
  };
  const path = resolve(parts.cwd, source);
  const isFile = parts.isFile(path);
  if (!isFile && /\.(zip|skill|tgz|tar\.gz)$/i.test(source) && !source.includes('://')) {
    throw new SkillwrightError('file_not_found', { detail: `there is no archive ${source}` });
  }
  // An archive lies on this machine, and so does the folder that it is held against.
  const backend = isFile ? await session.openOwnFolder() : await session.openWorkspace();
  return withBackend(backend, async () => {
    const answer: z.output<typeof importPreviewSchema> = isFile
      ? await backend.ask(uploadSkills, {
          ...choice,
          file: parts.readWhole(path, session.options().limits.uploadBytes),
        })
      : await backend.ask(importSkills, {
          ...choice,
          url: source,
          ...(flags.ref !== undefined && { ref: flags.ref }),
        });
    session.answer(answer, () => importPreviewLines(answer.preview, session.paint));
    return 0;
  });
}
