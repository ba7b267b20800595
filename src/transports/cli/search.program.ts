import { type Command } from 'commander';
import { type SessionWork } from './cli-session.service.js';
import { type SearchFlags } from './search.command.js';
import { type TriggerCheckFlags } from './trigger-check.command.js';

/** `search`, and the question of authors whether their skill is found. */
export function declareSearchCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  program
    .command('search <words...>')
    .description('Finds skills that an agent may have, best first.')
    .option('--limit <number>', 'hits at most')
    .option('--explain', 'where each score comes from')
    .action((words: string[], flags: SearchFlags) =>
      run(async (session) =>
        (await import('./search.command.js')).searchCommand(session, words.join(' '), flags),
      ),
    );
  program
    .command('trigger-check <skill>')
    .description('Whether a description brings its skill up; exit 1 when a prompt does not.')
    .requiredOption('--prompt <text...>', 'what users would say; several are taken')
    .option('--description <text>', 'a draft, in place of what the skill says')
    .option('--workflow <workflow>', 'with --step: among the skills of that step')
    .option('--step <step>', 'step of the workflow')
    .action((skill: string, flags: TriggerCheckFlags) =>
      run(async (session) =>
        (await import('./trigger-check.command.js')).triggerCheckCommand(session, skill, flags),
      ),
    );
}
