import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding, type Finding } from '../kernel/finding.js';
import { join } from 'node:path';
import { type FileStamp, isSettled, sameStamp } from '../workspace/file-facts.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import {
  CONFIG_PATHS,
  isWorkflowId,
  readConfigFile,
  readText,
  type TextRead,
  workflowIds,
  WORKFLOWS,
} from './config-file.service.js';
import { makePointerSkill, type PointerSkill } from './learnings-pointer.js';
import { NO_STEP_CONFIG, parseStepConfig, type StepConfig } from './step-config.js';
import { NO_WORKFLOW_FILE, parseWorkflowFile, type WorkflowFile } from './workflow-file.js';

/** What a workflow's folder says at this moment. */
export interface WorkflowFolder {
  readonly id: string;
  /** Relative to the workspace: `workflows/demo`. */
  readonly path: string;
  readonly stepConfig: StepConfig;
  /** Text of step_config.json; null when there is none that can be read. */
  readonly stepConfigText: string | null;
  /** Where step_config.json lies, or would be made; relative to the workspace. */
  readonly stepConfigPath: string;
  readonly file: WorkflowFile;
  /** Null where the workflow has no learnings. */
  readonly pointer: PointerSkill | null;
  readonly findings: readonly Finding[];
}

const WORKFLOW_FILE = 'workflow.json';
const LEARNINGS = 'learnings/_global/SKILL.md';
const LOOKED_AT = [...CONFIG_PATHS, WORKFLOW_FILE, LEARNINGS] as const;

interface Remembered {
  readonly stamps: readonly (FileStamp | null)[];
  readonly readAt: number;
  readonly folder: WorkflowFolder;
}

/**
 * Workflows as folders below `workflows/`. Files are looked at before every answer, so that who wrote one reads it
 * back; they are parsed again only when they changed.
 */
export class WorkflowFolders {
  private readonly known = new Map<string, Remembered>();
  private readonly stampsOfTurn = new Map<string, string>();
  private unsettled = 0;

  constructor(
    private readonly options: Pick<SkillwrightOptions, 'workspace'>,
    private readonly files: WorkspaceFiles,
  ) {}

  /** Ids of all workflows, sorted. */
  ids(): readonly string[] {
    return workflowIds(this.files, this.options.workspace.dir);
  }

  /** @throws SkillwrightError `path_invalid` for an id that is no folder name, `workflow_not_found` */
  get(id: string): WorkflowFolder {
    if (!isWorkflowId(id)) {
      const detail = 'the id of a workflow is the name of one folder below workflows/';
      throw new SkillwrightError('path_invalid', { detail });
    }
    const dir = join(this.options.workspace.dir, WORKFLOWS, id);
    if (this.files.kind(dir) !== 'folder') {
      this.known.delete(id);
      throw new SkillwrightError('workflow_not_found', {
        workflow_id: id,
        detail: `there is no folder ${WORKFLOWS}/${id}`,
      });
    }
    const stamps = LOOKED_AT.map((path) => this.files.stamp(join(dir, path)));
    const before = this.known.get(id);
    if (before && isCurrent(before, stamps)) return before.folder;
    const readAt = Date.now();
    const folder = this.read(id);
    this.known.set(id, { stamps, readAt, folder });
    return folder;
  }

  /**
   * Another text whenever an answer about this workflow may be another one; null asks about all workflows. Costs a
   * few `stat` calls, once for all questions that one turn of the event loop handles: those arrived before the turn
   * began, so whatever their askers wrote is seen.
   */
  stamp(id: string | null): string {
    if (id === null)
      return this.ids()
        .map((each) => `${each}=${this.stamp(each)}`)
        .join(' ');
    const before = this.stampsOfTurn.get(id);
    if (before !== undefined) return before;
    if (this.stampsOfTurn.size === 0)
      setImmediate(() => {
        this.stampsOfTurn.clear();
      });
    const stamp = isWorkflowId(id) ? this.lookAt(id) : '';
    this.stampsOfTurn.set(id, stamp);
    return stamp;
  }

  /** A file written just now gets a new text each time, since a second write might not show in its stamp. */
  private lookAt(id: string): string {
    const dir = join(this.options.workspace.dir, WORKFLOWS, id);
    const now = Date.now();
    return LOOKED_AT.map((path) => {
      const stamp = this.files.stamp(`${dir}/${path}`);
      if (stamp === null) return '-';
      const settled = isSettled(stamp, now) ? '' : `~${++this.unsettled}`;
      return `${stamp.ino}.${stamp.size}.${stamp.mtimeMs}.${stamp.ctimeMs}${settled}`;
    }).join(',');
  }

  /** Replaces step_config.json as a whole; readers see the old text or the new one. */
  writeStepConfig(folder: WorkflowFolder, text: string): void {
    this.files.writeFileAtomic(this.options.workspace.dir, folder.stepConfigPath, text);
    this.forget(folder.id);
  }

  /** Looks at a workflow anew, since its file was written. */
  forget(id: string): void {
    this.known.delete(id);
    this.stampsOfTurn.clear();
  }

  private read(id: string): WorkflowFolder {
    const path = `${WORKFLOWS}/${id}`;
    const { dir } = this.options.workspace;
    const { path: below, read, twice } = readConfigFile(this.files, dir, id);
    const stepConfigPath = `${path}/${below}`;
    const stepConfig = readAs(read, NO_STEP_CONFIG, (text) => parseStepConfig(text, stepConfigPath));

    const workflowFilePath = `${path}/${WORKFLOW_FILE}`;
    const file = readAs(readText(this.files, dir, workflowFilePath), NO_WORKFLOW_FILE, (text) =>
      parseWorkflowFile(text, workflowFilePath),
    );
    const learnings = readText(this.files, dir, `${path}/${LEARNINGS}`);
    return {
      id,
      path,
      stepConfig,
      stepConfigText: read.kind === 'ok' ? read.text : null,
      stepConfigPath,
      file,
      pointer: learnings.kind === 'ok' && learnings.text.trim() !== '' ? makePointerSkill(path) : null,
      findings: [
        ...(read.kind === 'missing' ? [finding('step_config_missing', { path: stepConfigPath })] : []),
        ...(twice ? [finding('step_config_twice', { path: `${path}/${CONFIG_PATHS[1]}` })] : []),
        ...stepConfig.findings,
        ...(file.kind === 'invalid' ? file.findings : []),
      ],
    };
  }
}

function readAs<T>(
  read: TextRead,
  none: T,
  parse: (text: string) => T,
): T | { kind: 'invalid'; findings: readonly Finding[] } {
  if (read.kind === 'missing') return none;
  return read.kind === 'ok' ? parse(read.text) : { kind: 'invalid', findings: [read.finding] };
}

function isCurrent({ stamps, readAt }: Remembered, now: readonly (FileStamp | null)[]): boolean {
  return stamps.every((stamp, index) => {
    const current = now[index] ?? null;
    if (stamp === null || current === null) return stamp === current;
    return sameStamp(stamp, current) && isSettled(stamp, readAt);
  });
}
