import { type Preset } from './preset.js';

export interface PresetPageRequest {
  /** At most so many. */
  readonly limit: number;
  /** The last preset of the page before. */
  readonly after: Pick<Preset, 'id' | 'created_at'> | null;
}

/** Part of the list, in the order in which presets were made. */
export interface PresetPage {
  readonly presets: readonly Preset[];
  /** Presets in all pages. */
  readonly total: number;
}

export type PresetDeletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'missing' }
  /** Workflows that are bound to the preset, by id. */
  | { readonly kind: 'in_use'; readonly workflows: readonly string[] };

export type PresetBinding = { readonly kind: 'bound' } | { readonly kind: 'preset_missing' };

/** Where presets are kept, and which one each workflow is bound to. Ids are UUIDs in lower case. */
export interface PresetStore {
  /** Another text whenever presets or bindings may have changed; asked before every answer that depends on them. */
  stamp(): string;
  list(page: PresetPageRequest): Promise<PresetPage>;
  get(id: string): Promise<Preset | null>;
  /** Every preset of this label: labels need not be unique. */
  findByLabel(label: string): Promise<readonly Preset[]>;
  create(preset: Preset): Promise<'created' | 'exists'>;
  /** Replaces the preset by what `change` makes of it, in one transaction; null when there is none. */
  update(id: string, change: (current: Preset) => Preset): Promise<Preset | null>;
  delete(id: string, options: { readonly detach: boolean }): Promise<PresetDeletion>;
  /** Id of the bound preset; null when there is none. */
  binding(workflowId: string): Promise<string | null>;
  bind(workflowId: string, presetId: string | null): Promise<PresetBinding>;
  boundWorkflows(presetId: string): Promise<readonly string[]>;
  /** Makes each preset unless it was seeded before, also when it was deleted since; ids of the new ones. */
  seed(presets: readonly Preset[]): Promise<readonly string[]>;
}
