import { SkillwrightError } from '../kernel/errors.js';
import { finding, type Finding } from '../kernel/finding.js';
import { presetId, type Preset } from './preset.js';
import { type PresetStore } from './preset-store.js';
import { type WorkflowFolder } from './workflow-folder.service.js';

/** The preset that a workflow is resolved with, and who says so. */
export interface BoundPreset {
  readonly preset: Preset | null;
  /** A clause for explanations: "bound in the database". */
  readonly boundBy: string;
  readonly findings: readonly Finding[];
}

/** Finds the preset of a workflow: the one in the request, else the database's binding, else workflow.json's. */
export class PresetBindings {
  constructor(private readonly store: PresetStore) {}

  /** @throws SkillwrightError `preset_not_found` */
  async named(id: string): Promise<Preset> {
    const known = presetId(id);
    const preset = known === null ? null : await this.store.get(known);
    if (preset) return preset;
    throw new SkillwrightError('preset_not_found', { preset_id: id, detail: `no preset has the id ${id}` });
  }

  /**
   * @param requested id of a preset that takes the place of the bound one
   * @throws SkillwrightError `preset_not_found` for the requested id; `workflow_file_invalid` when only
   *   workflow.json could say which preset is bound and it cannot be read
   */
  async of(folder: WorkflowFolder, requested?: string): Promise<BoundPreset> {
    if (requested !== undefined) {
      return { preset: await this.named(requested), boundBy: 'named by the request', findings: [] };
    }
    const inDatabase = await this.store.binding(folder.id);
    if (inDatabase !== null) return this.fromDatabase(folder, inDatabase);
    if (folder.file.kind === 'invalid') {
      const issues = folder.file.findings;
      const detail = issues.map(({ message, path }) => `${path ?? ''}: ${message}`).join('; ');
      throw new SkillwrightError('workflow_file_invalid', { workflow_id: folder.id, detail, issues });
    }
    return folder.file.preset === null
      ? { preset: null, boundBy: 'nobody binds one', findings: [] }
      : this.fromFile(folder, folder.file.preset);
  }

  private async fromDatabase(folder: WorkflowFolder, id: string): Promise<BoundPreset> {
    const preset = await this.store.get(id);
    const written = folder.file.kind === 'ok' ? folder.file.preset : null;
    const differs = written !== null && presetId(written) !== id && written !== preset?.label;
    const findings = [
      ...(preset ? [] : [unknownPreset(folder, id)]),
      ...(differs
        ? [finding('preset_binding_differs', { path: `${folder.path}/workflow.json`, found: written })]
        : []),
    ];
    return { preset, boundBy: 'bound in the database', findings };
  }

  private async fromFile(folder: WorkflowFolder, written: string): Promise<BoundPreset> {
    const boundBy = 'bound by workflow.json';
    const id = presetId(written);
    const byId = id === null ? null : await this.store.get(id);
    if (byId) return { preset: byId, boundBy, findings: [] };
    const [only, ...others] = await this.store.findByLabel(written);
    if (only && others.length === 0) return { preset: only, boundBy, findings: [] };
    const hint = only
      ? 'several presets have this label; write the id'
      : 'write the id or the label of a preset';
    return { preset: null, boundBy, findings: [unknownPreset(folder, written, hint)] };
  }
}

function unknownPreset(folder: WorkflowFolder, found: string, hint?: string): Finding {
  return finding('preset_unknown', {
    path: `${folder.path}/workflow.json`,
    found,
    ...(hint ? { hint } : {}),
  });
}
