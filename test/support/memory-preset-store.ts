import { type Preset } from '../../src/workflow/preset.js';
import {
  type PresetBinding,
  type PresetDeletion,
  type PresetPage,
  type PresetPageRequest,
  type PresetStore,
} from '../../src/workflow/preset-store.js';

/** Presets and bindings of one test, in memory. */
export class MemoryPresetStore implements PresetStore {
  private readonly presets = new Map<string, Preset>();
  private readonly bindings = new Map<string, string>();

  stamp(): string {
    return JSON.stringify([[...this.presets], [...this.bindings]]);
  }

  /** Puts a preset there; its id is `00000000-0000-4000-8000-` and the number. */
  add(number: number, label: string, selectedSkills?: readonly string[] | null): Preset {
    const preset: Preset = {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      label,
      ...(selectedSkills === undefined ? {} : { selected_skills: selectedSkills }),
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    this.presets.set(preset.id, preset);
    return preset;
  }

  list({ limit }: PresetPageRequest): Promise<PresetPage> {
    return Promise.resolve({ presets: [...this.presets.values()].slice(0, limit), total: this.presets.size });
  }

  get(id: string): Promise<Preset | null> {
    return Promise.resolve(this.presets.get(id) ?? null);
  }

  findByLabel(label: string): Promise<readonly Preset[]> {
    return Promise.resolve([...this.presets.values()].filter((preset) => preset.label === label));
  }

  create(preset: Preset): Promise<'created' | 'exists'> {
    if (this.presets.has(preset.id)) return Promise.resolve('exists');
    this.presets.set(preset.id, preset);
    return Promise.resolve('created');
  }

  update(id: string, change: (current: Preset) => Preset): Promise<Preset | null> {
    const current = this.presets.get(id);
    if (!current) return Promise.resolve(null);
    const changed = change(current);
    this.presets.set(id, changed);
    return Promise.resolve(changed);
  }

  async delete(id: string, { detach }: { readonly detach: boolean }): Promise<PresetDeletion> {
    if (!this.presets.has(id)) return { kind: 'missing' };
    const workflows = await this.boundWorkflows(id);
    if (workflows.length > 0 && !detach) return { kind: 'in_use', workflows };
    for (const workflow of workflows) this.bindings.delete(workflow);
    this.presets.delete(id);
    return { kind: 'deleted' };
  }

  /** Takes a preset away under its bindings, as nothing but a broken database could. */
  lose(id: string): void {
    this.presets.delete(id);
  }

  binding(workflowId: string): Promise<string | null> {
    return Promise.resolve(this.bindings.get(workflowId) ?? null);
  }

  bind(workflowId: string, presetId: string | null): Promise<PresetBinding> {
    if (presetId === null) this.bindings.delete(workflowId);
    else if (!this.presets.has(presetId)) return Promise.resolve({ kind: 'preset_missing' });
    else this.bindings.set(workflowId, presetId);
    return Promise.resolve({ kind: 'bound' });
  }

  boundWorkflows(presetId: string): Promise<readonly string[]> {
    return Promise.resolve(
      [...this.bindings].filter(([, id]) => id === presetId).map(([workflow]) => workflow),
    );
  }

  seed(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}
