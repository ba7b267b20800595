import { Command, CommanderError, Option } from 'commander';
import { ERRORS, SkillwrightError } from '../../kernel/errors.js';
import { type CliParts } from './cli-parts.port.js';
import { type GlobalFlags, type SessionWork } from './cli-session.service.js';
import { declareDatabaseCommands } from './database.program.js';
import { errorDocument, errorLines } from './error-report.js';
import { declareGuardCommands } from './guard.program.js';
import { painter } from './paint.js';
import { REPORT_FORMATS } from './report-formats.js';
import { declareSearchCommands } from './search.program.js';
import { type ListFlags, type ShowFlags } from './skills.commands.js';
import { type Terminal } from './terminal.js';
import { type ValidateFlags } from './validate.command.js';
import { type ExplainFlags, type ResolveFlags } from './workflow.commands.js';

const EXIT_USAGE = 2;

/**
 * Runs one command line and answers its exit status: 0, or what the error table says.
 *
 * @param argv without the interpreter and the program
 * @example await runCli(['validate', 'skills'], parts, terminal) // 0 or 1
 */
export async function runCli(argv: readonly string[], parts: CliParts, terminal: Terminal): Promise<number> {
  let status = 0;
  const program = declare(parts, terminal, (code) => {
    status = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    return fail(error, terminal, program.opts<GlobalFlags>());
  }
}

function declare(parts: CliParts, terminal: Terminal, done: (status: number) => void): Command {
  const program = new Command('skillwright')
    .description('Gives each step of an agent workflow exactly the skills it should have, and says why.')
    .version(parts.version)
    .option('--workspace <dir>', 'folder with skills/, workflows/ and presets/')
    .option('--data-dir <dir>', 'folder of the embedded database')
    .option('--url <url>', 'ask this running service')
    .option('--json', 'answer in JSON')
    .option('--no-color', 'plain text')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text);
      },
      writeErr: (text) => {
        terminal.err(text.replace(/^error: /, 'skillwright: '));
      },
      getOutHasColors: () => terminal.color,
      getErrHasColors: () => false,
    })
    .exitOverride();
  const run = async (work: SessionWork): Promise<void> => {
    // Loaded here, so that help and version do not wait for the options' schema.
    const { CliSession: Session } = await import('./cli-session.service.js');
    done(await work(new Session(parts, terminal, program.opts<GlobalFlags>())));
  };
  declareSkillCommands(program, run);
  declareSearchCommands(program, run);
  declareWorkflowCommands(program, run);
  declareGuardCommands(program, run);
  declareServiceCommands(program, run);
  declareDatabaseCommands(program, run);
  return program;
}

function declareSkillCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  program
    .command('list')
    .description('Lists skills: of the workspace or service, else those a coding agent finds here.')
    .option('--all', 'also hidden and broken ones, with the reason')
    .option('--query <text>', 'only skills with this text in slug, name, description, author or a tag')
    .option('--no-skills', 'outside a workspace: builtin skills only')
    .action((flags: ListFlags) =>
      run(async (session) => (await import('./skills.commands.js')).listCommand(session, flags)),
    );
  program
    .command('show <skill>')
    .description('Shows one skill: what it says, its files, what is remarkable.')
    .option('--content', 'only the text of SKILL.md')
    .option('--no-skills', 'outside a workspace: builtin skills only')
    .action((skill: string, flags: ShowFlags) =>
      run(async (session) => (await import('./skills.commands.js')).showCommand(session, skill, flags)),
    );
  program
    .command('validate <path...>')
    .description('Judges files, skill folders or folders of skills; exit 1 when anything is wrong.')
    .option('--strict', 'breaches of the open Agent Skills specification are errors')
    .addOption(new Option('--format <format>', 'how findings are written').choices(REPORT_FORMATS))
    .action((paths: string[], flags: ValidateFlags) =>
      run(async (session) => (await import('./validate.command.js')).validateCommand(session, paths, flags)),
    );
}

function declareWorkflowCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  const commands = () => import('./workflow.commands.js');
  const preset = (): Option =>
    new Option('--preset <id>', 'in place of the preset that the workflow is bound to');
  program
    .command('resolve <workflow> <step>')
    .description('Which skills a step gets, with reasons, prompt text and read-only paths.')
    .addOption(preset())
    .option('--strict', 'refuse when a skill cannot be had')
    .option(
      '--include <parts>',
      'heavy parts, separated by commas: attachments,file_contents,listing,…',
      list,
    )
    .option('--format <format>', 'how the listing is written: xml, agent-skills, markdown, lines, json')
    .option('--capabilities <names>', 'what the agent can do, separated by commas: browser', list)
    .action((workflow: string, step: string, flags: ResolveFlags) =>
      run(async (session) => (await commands()).resolveCommand(session, { workflow, step }, flags)),
    );
  program
    .command('explain <workflow> <step>')
    .description('Why a step gets these skills and not others, in sentences.')
    .addOption(preset())
    .option('--skill <skill>', 'this skill only, chosen or not')
    .action((workflow: string, step: string, flags: ExplainFlags) =>
      run(async (session) => (await commands()).explainCommand(session, { workflow, step }, flags)),
    );
  program
    .command('check <workflow>')
    .description('Preflight of a whole workflow; exit 1 names step, skill and reason.')
    .action((workflow: string) => run(async (session) => (await commands()).checkCommand(session, workflow)));
}

function declareServiceCommands(program: Command, run: (work: SessionWork) => Promise<void>): void {
  program
    .command('serve')
    .description('Runs the service until it is told to end.')
    .option('--host <address>', 'address to listen on')
    .option('--port <port>', 'port to listen on; 0 takes any free one')
    .action((flags: { host?: string; port?: string }) =>
      run(async (session) => (await import('./serve.command.js')).serveCommand(session, flags)),
    );
  program
    .command('doctor')
    .description('Looks at everything that the service needs here; exit 1 when something is missing.')
    .action(() => run(async (session) => (await import('./doctor.command.js')).doctorCommand(session)));
}

function list(text: string): string[] {
  return text.split(',').filter((item) => item !== '');
}

/** A mistake of ours is told apart from a refusal, but neither shows a stack. */
function fail(error: unknown, terminal: Terminal, { json, color }: GlobalFlags): number {
  const refusal = SkillwrightError.is(error)
    ? error
    : new SkillwrightError('internal', { detail: `a bug: ${String(error)}` }, { cause: error });
  if (json === true) terminal.out(`${JSON.stringify(errorDocument(refusal), null, 2)}\n`);
  terminal.err(`${errorLines(refusal, painter(terminal.color && color)).join('\n')}\n`);
  return ERRORS[refusal.code].exit;
}
