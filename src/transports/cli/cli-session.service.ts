import { resolve } from 'node:path';
import { discoveryEnv } from '../../config/discovery-env.js';
import { optionsFromEnv } from '../../config/options-from-env.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { mergeOptions, resolveOptions } from '../../config/resolve-options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Backend } from './backend.port.js';
import { type CliParts } from './cli-parts.port.js';
import {
  type BackendDecision,
  decideBackend,
  decideWorkspace,
  type OwnerFacts,
  WORKSPACE_DOCS,
  WORKSPACE_MARKER,
  type WorkspaceDecision,
} from './decide-place.js';
import { painter, type Paint } from './paint.js';
import { type Terminal } from './terminal.js';
import { inline } from './terminal-text.js';

/** The options that every command takes. */
export interface GlobalFlags {
  readonly workspace?: string;
  readonly dataDir?: string;
  readonly url?: string;
  readonly json?: true;
  readonly color: boolean;
}

/** What one command has at hand: options, where it works, and how it answers. */
export class CliSession {
  readonly paint: Paint;
  readonly json: boolean;

  constructor(
    readonly parts: CliParts,
    readonly terminal: Terminal,
    readonly flags: GlobalFlags,
  ) {
    this.json = flags.json === true;
    this.paint = painter(terminal.color && flags.color);
  }

  /** Writes the answer: lines for people, or one JSON document. */
  answer(value: unknown, lines: () => readonly string[]): void {
    this.print(this.json ? [JSON.stringify(value, null, 2)] : lines());
  }

  print(lines: readonly string[]): void {
    if (lines.length > 0) this.terminal.out(`${lines.join('\n')}\n`);
  }

  /** A remark beside the answer. */
  note(text: string): void {
    this.terminal.err(`skillwright: ${text}\n`);
  }

  workspace(): WorkspaceDecision {
    const { env, cwd } = this.parts;
    return decideWorkspace({
      cwd,
      flag: this.flags.workspace,
      env: env['SKILLWRIGHT_WORKSPACE_DIR'],
      hasMarker: this.parts.isFile(resolve(cwd, WORKSPACE_MARKER)),
      hasWorkspaceDocs: this.parts.isFolder(resolve(cwd, WORKSPACE_DOCS)),
    });
  }

  /**
   * Options from the environment and the command line, which wins.
   *
   * @throws SkillwrightError `options_invalid`
   */
  options(more: Record<string, unknown> = {}): SkillwrightOptions {
    const { input } = optionsFromEnv(this.parts.env);
    const flags = {
      ...(this.flags.workspace !== undefined && { workspace: { dir: this.flags.workspace } }),
      ...(this.flags.dataDir !== undefined && { data: { dir: this.flags.dataDir } }),
    };
    return resolveOptions(mergeOptions(mergeOptions(input, flags), more));
  }

  /** A misspelled option has no effect, and that should not stay unseen. */
  noteUnknownNames(): void {
    for (const { field, message } of optionsFromEnv(this.parts.env).findings) {
      this.note(`${message} ${inline(field ?? '')}`);
    }
  }

  /** Who answers: a service that is named or owns the data folder, else this process. */
  async whoAnswers(options: SkillwrightOptions, workspace: WorkspaceDecision): Promise<BackendDecision> {
    const { env, cwd } = this.parts;
    const url = this.flags.url ?? env['SKILLWRIGHT_URL'];
    const asked = url !== undefined && url !== '';
    const owner: OwnerFacts | null = asked ? null : await this.parts.askOwner(resolve(cwd, options.data.dir));
    return decideBackend({
      url,
      owner,
      workspace: workspace.kind === 'workspace' ? resolve(cwd, workspace.dir) : null,
    });
  }

  /**
   * Opens what answers questions about workflows.
   *
   * @throws SkillwrightError `workspace_not_found` when there is neither a service nor a workspace
   */
  async openWorkspace(): Promise<Backend> {
    this.noteUnknownNames();
    const workspace = this.workspace();
    const dir = workspace.kind === 'workspace' ? workspace.dir : undefined;
    const options = this.options(dir === undefined ? {} : { workspace: { dir } });
    const decision = await this.whoAnswers(options, workspace);
    if (decision.kind === 'service') return this.openService(decision.url);
    this.requireFolder(workspace);
    this.note('without a service only presets in presets/*.json and bindings in workflow.json are seen');
    return this.openFolder(options);
  }

  async openService(url: string, timeoutMs?: number): Promise<Backend> {
    const { ServiceBackend } = await import('./service.backend.js');
    return new ServiceBackend(url, timeoutMs);
  }

  /**
   * Opens what works on the database: the service that owns it, else the database itself.
   *
   * @throws SkillwrightError `db_unavailable`, `data_folder_in_use`
   */
  async openDatabase(timeoutMs: number): Promise<Backend> {
    this.noteUnknownNames();
    const { options, decision } = await this.databasePlace();
    if (decision.kind === 'service') return this.openService(decision.url, timeoutMs);
    const { FolderBackend } = await import('./folder.backend.js');
    return new FolderBackend(await this.parts.openDatabase(options));
  }

  async databasePlace(): Promise<{ options: SkillwrightOptions; decision: BackendDecision }> {
    const workspace = this.workspace();
    const options = this.options(workspace.kind === 'none' ? {} : { workspace: { dir: workspace.dir } });
    return { options, decision: await this.whoAnswers(options, workspace) };
  }

  async openFolder(options: SkillwrightOptions): Promise<Backend> {
    const { env, cwd } = this.parts;
    const { FolderBackend } = await import('./folder.backend.js');
    return new FolderBackend(await this.parts.openFolder(options, discoveryEnv(env, cwd)));
  }

  /** @throws SkillwrightError `workspace_not_found` */
  requireFolder(workspace: WorkspaceDecision): void {
    if (workspace.kind === 'none') {
      throw new SkillwrightError('workspace_not_found', {
        detail: `there is no workspace here (${workspace.because}); name one with --workspace DIR`,
      });
    }
    if (!this.parts.isFolder(resolve(this.parts.cwd, workspace.dir))) {
      throw new SkillwrightError('workspace_not_found', {
        detail: `the workspace ${inline(workspace.dir)} is not a folder (${workspace.because})`,
      });
    }
  }
}

/** One command: answers the exit status. */
export type SessionWork = (session: CliSession) => Promise<number>;

/** Closes the backend whatever happens in between. */
export async function withBackend<T>(backend: Backend, use: (backend: Backend) => Promise<T>): Promise<T> {
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}
