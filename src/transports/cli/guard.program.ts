import { type Command, Option } from 'commander';
import { type SessionWork } from './cli-session.service.js';
import { type GuardFlags, type GuardRunFlags } from './guard.commands.js';

/** `guard check` and what belongs to it. */
export function declareGuardCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  const commands = () => import('./guard.commands.js');
  const guard = program.command('guard').description('What a step may touch.');
  const check = guard
    .command('check <operation> <path>')
    .description('Whether a step may touch a path, and why; exit 1 when it may not.')
    .option('--to <path>', 'second path of rename, copy and hardlink; what a symlink says');
  for (const option of grantOptions()) check.addOption(option);
  check.action((operation: string, path: string, { to, ...flags }: GuardFlags & { to?: string }) =>
    run(async (session) =>
      (await commands()).guardCheckCommand(
        session,
        { operation, path, ...(to !== undefined && { to }) },
        flags,
      ),
    ),
  );
  declareRun(guard, run);
}

function declareRun(guard: Command, run: (work: SessionWork) => Promise<void>): void {
  const command = guard
    .command('run <command...>')
    .description(
      "Runs a command here with the grants of a step and nothing else; its exit status is the command's.",
    )
    .usage('[options] -- <command...>')
    .option('--network', 'may use the network')
    .option('--env <name=value...>', 'added to a small, clean environment')
    .option('--time-limit <seconds>', 'ended with all it started when they are over')
    .option('--allow-unsandboxed', 'run it also where nothing can keep it to its grants');
  for (const option of grantOptions()) command.addOption(option);
  command.action((words: string[], flags: GuardRunFlags) =>
    run(async (session) => (await import('./guard.commands.js')).guardRunCommand(session, words, flags)),
  );
}

/** Whose grants, and what is added to them. */
function grantOptions(): Option[] {
  return [
    new Option('--workflow <workflow>', 'workflow of the step'),
    new Option('--step <step>', 'step whose skills are granted'),
    new Option('--preset <id>', 'in place of the preset that the workflow is bound to'),
    new Option('--read <path...>', 'may be read'),
    new Option('--write <path...>', 'may be written and read'),
    new Option('--block <path...>', 'may not be touched, whatever else is granted'),
    new Option('--block-write <path...>', 'may not be written'),
    new Option('--cwd <dir>', 'where relative paths start; the workspace by default'),
  ];
}
