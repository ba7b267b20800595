import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding, type Finding } from '../kernel/finding.js';
import { join } from 'node:path';
import { type FileStamp, isSettled, sameStamp } from '../workspace/file-facts.js';
import { splitRelativePath } from '../workspace/paths.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
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

const ROOT = 'workflows';
const MAX_BYTES = 4 * 1_048_576;
const STEP_CONFIGS = ['step_config.json', 'planning/step_config.json'] as const;
const WORKFLOW_FILE = 'workflow.json';
const LEARNINGS = 'learnings/_global/SKILL.md';
const LOOKED_AT = [...STEP_CONFIGS, WORKFLOW_FILE, LEARNINGS] as const;

interface Remembered {
  readonly stamps: readonly (FileStamp | null)[];
  readonly readAt: number;
  readonly folder: WorkflowFolder;
}

type TextRead =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly finding: Finding };

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
    const listing = this.files.list(join(this.options.workspace.dir, ROOT));
    if (listing.kind !== 'ok') return [];
    return listing.items.filter(({ kind, name }) => kind === 'folder' && isId(name)).map(({ name }) => name);
  }

  /** @throws SkillwrightError `path_invalid` for an id that is no folder name, `workflow_not_found` */
  get(id: string): WorkflowFolder {
    if (!isId(id)) {
      const detail = 'the id of a workflow is the name of one folder below workflows/';
      throw new SkillwrightError('path_invalid', { detail });
    }
    const dir = join(this.options.workspace.dir, ROOT, id);
    if (this.files.kind(dir) !== 'folder') {
      this.known.delete(id);
      throw new SkillwrightError('workflow_not_found', {
        workflow_id: id,
        detail: `there is no folder ${ROOT}/${id}`,
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
    const stamp = isId(id) ? this.lookAt(id) : '';
    this.stampsOfTurn.set(id, stamp);
    return stamp;
  }

  /** A file written just now gets a new text each time, since a second write might not show in its stamp. */
  private lookAt(id: string): string {
    const dir = join(this.options.workspace.dir, ROOT, id);
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
    this.known.delete(folder.id);
    this.stampsOfTurn.clear();
  }

  private read(id: string): WorkflowFolder {
    const path = `${ROOT}/${id}`;
    const [atRoot, inPlanning] = STEP_CONFIGS.map((name) => this.readText(`${path}/${name}`));
    const usesPlanning = atRoot?.kind === 'missing' && inPlanning?.kind !== 'missing';
    const stepConfigPath = `${path}/${STEP_CONFIGS[usesPlanning ? 1 : 0]}`;
    const read = (usesPlanning ? inPlanning : atRoot) ?? { kind: 'missing' };
    const stepConfig = readAs(read, NO_STEP_CONFIG, (text) => parseStepConfig(text, stepConfigPath));
    const twice = atRoot?.kind !== 'missing' && inPlanning?.kind !== 'missing';

    const workflowFilePath = `${path}/${WORKFLOW_FILE}`;
    const file = readAs(this.readText(workflowFilePath), NO_WORKFLOW_FILE, (text) =>
      parseWorkflowFile(text, workflowFilePath),
    );
    const learnings = this.readText(`${path}/${LEARNINGS}`);
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
        ...(twice ? [finding('step_config_twice', { path: `${path}/${STEP_CONFIGS[1]}` })] : []),
        ...stepConfig.findings,
        ...(file.kind === 'invalid' ? file.findings : []),
      ],
    };
  }

  private readText(path: string): TextRead {
    const read = this.files.readFile(this.options.workspace.dir, path, { maxBytes: MAX_BYTES });
    if (read.kind === 'ok') {
      const text = read.bytes.toString('utf8');
      if (Buffer.from(text).equals(read.bytes)) return { kind: 'ok', text };
      return { kind: 'refused', finding: finding('encoding_invalid', { path }) };
    }
    if (read.reason === 'missing') return { kind: 'missing' };
    return {
      kind: 'refused',
      finding: finding('file_unreadable', { path, message: `${path}: ${read.because}` }),
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

function isId(id: string): boolean {
  const check = splitRelativePath(id);
  return check.kind === 'ok' && check.segments.length === 1 && !id.startsWith('.');
}

function isCurrent({ stamps, readAt }: Remembered, now: readonly (FileStamp | null)[]): boolean {
  return stamps.every((stamp, index) => {
    const current = now[index] ?? null;
    if (stamp === null || current === null) return stamp === current;
    return sameStamp(stamp, current) && isSettled(stamp, readAt);
  });
}
