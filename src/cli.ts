#!/usr/bin/env node
import { type SkillwrightOptions } from './config/options.js';
import { type CliParts } from './transports/cli/cli-parts.port.js';
import { runCli } from './transports/cli/cli.program.js';
import { BUNDLED_SKILLS_DIR, PACKAGE_VERSION } from './package-facts.js';
import { readStream, saveStream } from './workspace/stream-file.adapter.js';
import { WorkspaceFiles } from './workspace/workspace-files.adapter.js';

const files = new WorkspaceFiles();

/** Whatever a command needs is loaded by that command: Nest alone takes longer than most of them. */
const parts: CliParts = {
  version: PACKAGE_VERSION,
  env: process.env,
  cwd: process.cwd(),
  isFolder: (path) => files.resolve(path)?.kind === 'folder',
  isFile: (path) => files.resolve(path)?.kind === 'file',
  async openFolder(options, place) {
    const { openFolder } = await import('./plugin/folder-context.service.js');
    return openFolder(withBundled(options), { place, files });
  },
  async openDatabase(options) {
    await quiet();
    const { openDatabase } = await import('./plugin/folder-context.service.js');
    return openDatabase(withBundled(options), files);
  },
  async migrate(options) {
    await quiet();
    const { DatabaseService } = await import('./database/database.service.js');
    const database = new DatabaseService(options);
    const ran = await database.open();
    await database.stop();
    return ran;
  },
  saveFile: (path, bytes) => saveStream(path, bytes),
  readFile: (path) => readStream(path),
  async askOwner(dataDir) {
    const { askOwner } = await import('./database/data-folder-lock.adapter.js');
    return askOwner(dataDir);
  },
  async validatePaths(request) {
    const { validatePaths } = await import('./operations/validate-paths.service.js');
    return validatePaths(request, files);
  },
  async diagnose(request) {
    const { diagnose } = await import('./operations/diagnosis.service.js');
    return diagnose(request, files);
  },
  async runGuarded(request) {
    const { runGuarded } = await import('./operations/guarded-run.service.js');
    return runGuarded(request);
  },
  async serve(env) {
    const { runService } = await import('./main.js');
    await runService(env);
  },
};

function withBundled(options: SkillwrightOptions): SkillwrightOptions {
  return { ...options, bundled: { dir: options.bundled.dir ?? BUNDLED_SKILLS_DIR } };
}

/** Answers go to stdout alone; what the services would log is said by the command. */
async function quiet(): Promise<void> {
  const { Logger } = await import('@nestjs/common');
  Logger.overrideLogger(false);
}

// `skillwright list | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Types promise what a pipe does not keep: there the two are undefined.
const { isTTY, columns } = process.stdout as Partial<NodeJS.WriteStream>;
const terminal = {
  width: isTTY === true ? (columns ?? 80) : null,
  color: isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

void runCli(process.argv.slice(2), parts, terminal).then((status) => {
  process.exitCode = status;
});
