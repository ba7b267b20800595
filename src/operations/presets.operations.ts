import { z } from 'zod';
import { operation } from './define.operation.js';
import { pageInput } from './page.js';
import { presetListSchema, presetOutputSchema } from './schemas/workflow.js';

const presetId = z.string().min(1).max(200);
/** Judged by the preset's own rules, which name each wrong field. */
const presetBody = z.record(z.string(), z.unknown()).describe('A preset; unknown keys are kept.');

export const listPresets = operation({
  name: 'presets.list',
  summary: 'Presets: the default skills of a workflow.',
  role: 'agent',
  input: z.strictObject(pageInput),
  output: presetListSchema,
  run: ({ presets }, page) => presets.list(page),
});

export const getPreset = operation({
  name: 'presets.get',
  summary: 'One preset.',
  role: 'agent',
  input: z.strictObject({ id: presetId }),
  output: presetOutputSchema,
  run: ({ presets }, { id }) => presets.get(id),
});

export const createPreset = operation({
  name: 'presets.create',
  summary: 'Makes a preset; its id may be given.',
  role: 'editor',
  input: z.strictObject({ preset: presetBody }),
  output: presetOutputSchema,
  run: ({ presets }, { preset }) => presets.create(preset),
});

export const replacePreset = operation({
  name: 'presets.replace',
  summary: 'Replaces a preset; keys that are not sent are gone.',
  role: 'editor',
  input: z.strictObject({ id: presetId, preset: presetBody }),
  output: presetOutputSchema,
  run: ({ presets }, { id, preset }) => presets.replace(id, preset),
});

export const patchPreset = operation({
  name: 'presets.patch',
  summary: 'Changes the keys that are sent and no others (JSON merge patch at the top level).',
  role: 'editor',
  input: z.strictObject({ id: presetId, patch: presetBody }),
  output: presetOutputSchema,
  run: ({ presets }, { id, patch }) => presets.patch(id, patch),
});

export const deletePreset = operation({
  name: 'presets.delete',
  summary: 'Deletes a preset that no workflow is bound to.',
  role: 'editor',
  input: z.strictObject({
    id: presetId,
    detach: z.boolean().default(false).describe('Unbind its workflows first.'),
  }),
  output: z.null(),
  run: ({ presets }, { id, detach }) => presets.delete(id, { detach }),
});
