import { type Command } from 'commander';
import { type ImportFlags } from './import.command.js';
import { type SessionWork } from './cli-session.service.js';

/** How skills come in from elsewhere, and which exact ones lie here. */
export function declareImportCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  program
    .command('import <source>')
    .description('Skills of an archive, or of an address on GitHub; with --dry-run shows what would come in.')
    .option('--dry-run', 'only show')
    .option('--select <skills>', 'which skills of several, separated by commas; * is all', (text: string) =>
      text.split(',').filter((item) => item !== ''),
    )
    .option('--as <slug>', 'slug in place of the proposed one')
    .option('--replace', 'allow a new version of a skill that is there already')
    .option('--ref <ref>', 'branch, tag or commit in place of the one in the address')
    .action((source: string, flags: ImportFlags) =>
      run(async (session) => (await import('./import.command.js')).importCommand(session, source, flags)),
    );
  const lock = program.command('lock').description('Which exact skills lie here.');
  lock
    .command('verify [file]')
    .description(
      'Compares with skillwright-lock.json, or skills-lock.json of the vercel CLI; exit 1 on a difference.',
    )
    .action((file: string | undefined) =>
      run(async (session) => (await import('./lock.command.js')).verifyLockCommand(session, file)),
    );
  lock
    .command('write [file]')
    .description('Writes skillwright-lock.json for the skills of the workspace.')
    .action((file: string | undefined) =>
      run(async (session) => (await import('./lock.command.js')).writeLockCommand(session, file)),
    );
}
