import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FilePresetStore } from '../../src/workflow/file-preset.service.js';
import { type Preset } from '../../src/workflow/preset.js';
import { type PresetStore } from '../../src/workflow/preset-store.js';
import { SqlPresetStore } from '../../src/workflow/preset.store.js';
import { WorkspaceFiles } from '../../src/workspace/workspace-files.adapter.js';
import { describeOnDatabases } from '../support/databases.js';

const PRESETS: readonly Preset[] = [
  {
    id: '5d0f5c7e-34d1-4a07-9b0c-000000000002',
    label: 'Second',
    selected_skills: null,
    created_at: '2026-02-01T00:00:00.000Z',
    updated_at: '2026-02-03T00:00:00.000Z',
  },
  {
    id: '5d0f5c7e-34d1-4a07-9b0c-000000000001',
    label: 'First',
    query: 'What is new?',
    selected_skills: ['zeta', 'custom/alpha', 'not-there'],
    budget: { tokens: 5, note: 'Grüße 👋' },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  },
  {
    id: '5d0f5c7e-34d1-4a07-9b0c-000000000003',
    label: 'Second',
    selected_skills: [],
    created_at: '2026-03-01T00:00:00.000Z',
    updated_at: '2026-03-01T00:00:00.000Z',
  },
];
const IN_ORDER = [PRESETS[1]!, PRESETS[0]!, PRESETS[2]!];

/** What every store of presets does, wherever it keeps them. */
function readsPresets(filled: () => Promise<PresetStore>): void {
  it('gives each preset as it was written, with absent, null and [] apart', async () => {
    const store = await filled();
    for (const preset of PRESETS) expect(await store.get(preset.id)).toEqual(preset);
    expect(await store.get('5d0f5c7e-34d1-4a07-9b0c-00000000000f')).toBeNull();
  });

  it('lists in the order in which presets were made, from any place on', async () => {
    const store = await filled();
    expect(await store.list({ limit: 10, after: null })).toEqual({ presets: IN_ORDER, total: 3 });
    expect(await store.list({ limit: 1, after: IN_ORDER[0]! })).toEqual({ presets: [IN_ORDER[1]], total: 3 });
    expect(await store.list({ limit: 1, after: IN_ORDER[2]! })).toEqual({ presets: [], total: 3 });
  });

  it('finds every preset of a label', async () => {
    const store = await filled();
    expect(await store.findByLabel('Second')).toEqual([IN_ORDER[1], IN_ORDER[2]]);
    expect(await store.findByLabel('second')).toEqual([]);
  });

  it('has no binding for a workflow that was never bound', async () => {
    const store = await filled();
    expect(await store.binding('unbound')).toBeNull();
    expect(await store.boundWorkflows(PRESETS[0]!.id)).toEqual([]);
  });
}

describeOnDatabases('presets in a database', (database) => {
  readsPresets(async () => {
    const store = new SqlPresetStore(database.service);
    for (const preset of PRESETS) await store.create(preset);
    return store;
  });
});

describe('presets in files', () => {
  let workspace: string;

  const put = (name: string, content: unknown): void => {
    writeFileSync(
      join(workspace, 'presets', name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  };
  const store = (): FilePresetStore =>
    new FilePresetStore({ workspace: { dir: workspace } }, new WorkspaceFiles());

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'skillwright-presets-'));
    mkdirSync(join(workspace, 'presets'));
  });

  afterEach(() => {
    rmSync(workspace, { recursive: true, force: true });
  });

  readsPresets(() => {
    for (const [index, preset] of PRESETS.entries()) put(`preset-${index}.json`, preset);
    return Promise.resolve(store());
  });

  it('load beside files that are none, each of which is named', () => {
    put('good.json', { label: 'Good' });
    put('cut.json', '{"label": "Cu');
    put('typed.json', { label: 'Typed', selected_skills: 'pdf' });
    put('twin-a.json', PRESETS[0]);
    put('twin-b.json', { ...PRESETS[0], label: 'Twin' });
    put('notes.txt', 'not a preset');
    const { presets, findings } = store().read();
    expect(presets.map((preset) => preset.label).sort()).toEqual(['Good', 'Second']);
    expect(findings).toMatchObject([
      { code: 'preset_file_invalid', path: 'presets/cut.json' },
      { code: 'preset_duplicate', path: 'presets/twin-b.json' },
      { code: 'field_type', path: 'presets/typed.json', field: 'selected_skills' },
    ]);
  });

  it('have the same id each time, also without one of their own', () => {
    put('good.json', { label: 'Good' });
    const [first] = store().read().presets;
    const [again] = store().read().presets;
    expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again?.id).toBe(first?.id);
  });

  it('have another stamp after a change, and the same one without', () => {
    put('good.json', { label: 'Good' });
    const before = store().stamp();
    expect(store().stamp()).toBe(before);
    put('good.json', { label: 'Better' });
    expect(store().stamp()).not.toBe(before);
  });

  it('are none where there is no folder', () => {
    rmSync(join(workspace, 'presets'), { recursive: true });
    expect(store().read()).toEqual({ presets: [], findings: [] });
  });

  it('are read only', async () => {
    const writes = [store().create(), store().update(), store().delete(), store().bind(), store().seed()];
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'forbidden' });
  });
});
