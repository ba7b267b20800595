import { type Command } from 'commander';
import { type SessionWork } from './cli-session.service.js';
import { type RestoreFlags, type VerifyFlags } from './database.commands.js';

/** The upkeep of what is stored. */
export function declareDatabaseCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  const commands = () => import('./database.commands.js');
  program
    .command('verify')
    .description('Looks whether everything that is stored is whole; exit 1 when it is not.')
    .option('--all', 'every version, not only the current ones')
    .action((flags: VerifyFlags) => run(async (session) => (await commands()).verifyCommand(session, flags)));
  program
    .command('backup <file>')
    .description('Writes everything that is stored, as of one moment, into one file.')
    .action((file: string) => run(async (session) => (await commands()).backupCommand(session, file)));
  program
    .command('restore <file>')
    .description('Puts a backup into an empty database that no service works on.')
    .option('--replace', 'in the place of what the database holds, which is then gone')
    .option('--force', 'also when verify would find problems in it')
    .action((file: string, flags: RestoreFlags) =>
      run(async (session) => (await commands()).restoreCommand(session, file, flags)),
    );
  program
    .command('migrate')
    .description("Brings the database's schema up to date and ends.")
    .action(() => run(async (session) => (await commands()).migrateCommand(session)));
}
