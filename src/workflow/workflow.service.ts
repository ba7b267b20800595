import { type Author, systemAuthor } from '../events/author.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type Finding } from '../kernel/finding.js';
import { isPlainObject } from '../kernel/plain-object.js';
import { type BoundPreset, type PresetBindings } from './preset-binding.service.js';
import { workflowChanged } from './config-item.service.js';
import { type ConfigVersion } from '../skills/store/workflow-config.store.js';
import { type ConfigSync } from './config-sync.service.js';
import { type PresetStore } from './preset-store.js';
import { parseStepConfig } from './step-config.js';
import { patchStepText, replaceStepConfigText, type StepPatch } from './step-config-edit.js';
import { type WorkflowFolder, type WorkflowFolders } from './workflow-folder.service.js';

/** A workflow for people, with the names of the wire. */
export interface WorkflowRow {
  readonly id: string;
  readonly preset_id: string | null;
  /** Ids of the configured steps, in file order. */
  readonly steps: readonly string[];
  readonly findings: readonly Finding[];
}

// Somebody who edits the file at the same time is waited for so often.
const MAX_TRIES = 3;
const HOST_AUTHOR = systemAuthor('api', 'host application');

/** Reads and edits workflows: their folder, their steps, their preset. */
export class WorkflowService {
  constructor(
    private readonly folders: WorkflowFolders,
    private readonly bindings: PresetBindings,
    private readonly store: PresetStore,
    /** Null for a folder without a database. */
    readonly configs: ConfigSync | null = null,
  ) {}

  /** As {@link WorkflowFolders.stamp}. */
  stamp(id: string | null): string {
    return this.folders.stamp(id);
  }

  /** Every workflow, by id; a broken one is listed with its findings. */
  async list(): Promise<WorkflowRow[]> {
    const rows: WorkflowRow[] = [];
    for (const id of this.folders.ids()) rows.push(await this.row(this.folders.get(id)));
    return rows;
  }

  /** @throws SkillwrightError `path_invalid`, `workflow_not_found` */
  async get(id: string): Promise<WorkflowRow> {
    return this.row(this.folders.get(id));
  }

  /**
   * Binds a workflow to a preset; null removes the binding, after which workflow.json decides again.
   *
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`, `preset_not_found`
   */
  async bind(id: string, presetId: string | null): Promise<WorkflowRow> {
    const folder = this.folders.get(id);
    const preset = presetId === null ? null : await this.bindings.named(presetId);
    const binding = await this.store.bind(folder.id, preset?.id ?? null);
    if (binding.kind === 'preset_missing') {
      throw new SkillwrightError('preset_not_found', { preset_id: presetId });
    }
    return this.row(folder);
  }

  /**
   * step_config.json as plain data, unknown keys included; `{"steps": []}` where there is none.
   *
   * @throws SkillwrightError `path_invalid`, `workflow_not_found`, `step_config_invalid` when it is no JSON object
   */
  readStepConfig(id: string): Record<string, unknown> {
    const { stepConfigText: text, stepConfig } = this.folders.get(id);
    if (text === null && stepConfig.kind === 'ok') return { steps: [] };
    if (text === null || stepConfig.findings.some(({ code }) => code === 'json_invalid')) {
      throw invalidConfig(id, stepConfig.findings);
    }
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isPlainObject(value)) throw invalidConfig(id, stepConfig.findings);
    return value;
  }

  /**
   * Replaces step_config.json; parts that stay equal keep their bytes.
   *
   * @throws SkillwrightError `step_config_invalid`, whose issues name step and field; `workflow_changed`; then nothing
   *   is written
   */
  async writeStepConfig(
    id: string,
    document: Record<string, unknown>,
    author: Author = HOST_AUTHOR,
  ): Promise<Record<string, unknown>> {
    await this.edit(id, author, (folder) => {
      const text = replaceStepConfigText(folder.stepConfigText, document);
      const errors = errorsOf(text, folder.stepConfigPath);
      if (errors.length > 0) throw invalidConfig(id, errors);
      return text;
    });
    return this.readStepConfig(id);
  }

  /**
   * Changes one step and no byte of the others; a new id makes a new step. See {@link patchStepText}.
   *
   * @returns the step as it then stands in the file
   * @throws SkillwrightError `step_config_invalid`, whose issues name the field; `workflow_changed`; then nothing is
   *   written
   */
  async patchStep(
    id: string,
    stepId: string,
    patch: StepPatch,
    author: Author = HOST_AUTHOR,
  ): Promise<Record<string, unknown>> {
    const wanted = stepId.trim();
    if (wanted === '')
      throw new SkillwrightError('bad_request', { detail: 'the id of a step must not be blank' });
    if (patch['id'] !== undefined && patch['id'] !== wanted) {
      throw new SkillwrightError('bad_request', { detail: 'the id of a step cannot be changed by a patch' });
    }
    await this.edit(id, author, (folder) => {
      const unusable = folder.stepConfig.kind === 'invalid';
      const text = unusable ? null : patchStepText(folder.stepConfigText, wanted, patch);
      if (text === null) throw invalidConfig(id, folder.stepConfig.findings);
      const config = parseStepConfig(text, folder.stepConfigPath);
      const step = config.kind === 'ok' ? config.steps.get(wanted) : undefined;
      if (step?.kind !== 'ok') throw invalidConfig(id, (step ?? config).findings);
      return text;
    });
    return this.stepOf(id, wanted);
  }

  /** With a database the new text is a version first and a file afterwards. */
  private async edit(id: string, author: Author, change: (folder: WorkflowFolder) => string): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const folder = this.folders.get(id);
      const text = change(folder);
      if (this.configs === null) {
        this.folders.writeStepConfig(folder, text);
        return;
      }
      const outcome = await this.configs.save(id, folder.stepConfigText, text, author);
      this.folders.forget(id);
      if (outcome === 'saved') return;
    }
    throw workflowChanged(id);
  }

  /** Versions of step_config.json, newest first. @throws SkillwrightError `path_invalid`, `db_unavailable` */
  stepConfigVersions(id: string): Promise<readonly ConfigVersion[]> {
    return this.kept().versions(id);
  }

  /**
   * Makes an earlier version of step_config.json the newest again, also one of a file that was removed.
   *
   * @throws SkillwrightError `version_not_found`, `workflow_changed`, `db_unavailable`
   */
  async restoreStepConfig(id: string, version: number, author: Author): Promise<Record<string, unknown>> {
    const outcome = await this.kept().restore(id, version, author);
    this.folders.forget(id);
    if (outcome === 'changed') throw workflowChanged(id);
    return this.readStepConfig(id);
  }

  /** Why the files of workflows are taken for lost; null while they are not. */
  vanished(): string | null {
    return this.configs?.vanished() ?? null;
  }

  private kept(): ConfigSync {
    if (this.configs !== null) return this.configs;
    throw new SkillwrightError('version_not_found', { detail: 'without a database there are no versions' });
  }

  private stepOf(id: string, stepId: string): Record<string, unknown> {
    const { steps } = this.readStepConfig(id);
    const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
    const step = list.find((each) => isPlainObject(each) && String(each['id']).trim() === stepId);
    return isPlainObject(step) ? step : { id: stepId };
  }

  private async row(folder: WorkflowFolder): Promise<WorkflowRow> {
    const { preset, findings } = await this.boundPreset(folder);
    return {
      id: folder.id,
      preset_id: preset?.id ?? null,
      steps: folder.stepConfig.kind === 'ok' ? [...folder.stepConfig.steps.keys()] : [],
      findings: [...folder.findings, ...findings],
    };
  }

  /** A workflow.json that cannot be read is a finding of the folder already; the row is shown all the same. */
  private async boundPreset(folder: WorkflowFolder): Promise<Pick<BoundPreset, 'preset' | 'findings'>> {
    try {
      return await this.bindings.of(folder);
    } catch (error) {
      if (SkillwrightError.is(error) && error.code === 'workflow_file_invalid')
        return { preset: null, findings: [] };
      throw error;
    }
  }
}

function errorsOf(text: string, path: string): readonly Finding[] {
  return parseStepConfig(text, path).findings.filter(({ severity }) => severity === 'error');
}

function invalidConfig(id: string, issues: readonly Finding[]): SkillwrightError {
  const detail = issues.map(({ message, path }) => `${path ?? ''}: ${message}`).join('; ');
  return new SkillwrightError('step_config_invalid', { workflow_id: id, detail, issues });
}
