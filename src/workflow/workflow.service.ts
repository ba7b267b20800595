import { SkillwrightError } from '../kernel/errors.js';
import { type Finding } from '../kernel/finding.js';
import { isPlainObject } from '../kernel/plain-object.js';
import { type BoundPreset, type PresetBindings } from './preset-binding.service.js';
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

/** Reads and edits workflows: their folder, their steps, their preset. */
export class WorkflowService {
  constructor(
    private readonly folders: WorkflowFolders,
    private readonly bindings: PresetBindings,
    private readonly store: PresetStore,
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
   * @throws SkillwrightError `step_config_invalid`, whose issues name step and field; then nothing is written
   */
  writeStepConfig(id: string, document: Record<string, unknown>): Record<string, unknown> {
    const folder = this.folders.get(id);
    const text = replaceStepConfigText(folder.stepConfigText, document);
    const errors = errorsOf(text, folder.stepConfigPath);
    if (errors.length > 0) throw invalidConfig(id, errors);
    this.folders.writeStepConfig(folder, text);
    return this.readStepConfig(id);
  }

  /**
   * Changes one step and no byte of the others; a new id makes a new step. See {@link patchStepText}.
   *
   * @returns the step as it then stands in the file
   * @throws SkillwrightError `step_config_invalid`, whose issues name the field; then nothing is written
   */
  patchStep(id: string, stepId: string, patch: StepPatch): Record<string, unknown> {
    const folder = this.folders.get(id);
    const wanted = stepId.trim();
    if (wanted === '')
      throw new SkillwrightError('bad_request', { detail: 'the id of a step must not be blank' });
    if (patch['id'] !== undefined && patch['id'] !== wanted) {
      throw new SkillwrightError('bad_request', { detail: 'the id of a step cannot be changed by a patch' });
    }
    const unusable = folder.stepConfig.kind === 'invalid';
    const text = unusable ? null : patchStepText(folder.stepConfigText, wanted, patch);
    if (text === null) throw invalidConfig(id, folder.stepConfig.findings);
    const config = parseStepConfig(text, folder.stepConfigPath);
    const step = config.kind === 'ok' ? config.steps.get(wanted) : undefined;
    if (step?.kind !== 'ok') throw invalidConfig(id, (step ?? config).findings);
    this.folders.writeStepConfig(folder, text);
    return this.stepOf(id, wanted);
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
