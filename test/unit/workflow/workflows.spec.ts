import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowGround } from '../../support/workflow-ground.js';

let ground: WorkflowGround;

beforeEach(async () => {
  ground = new WorkflowGround();
  await ground.skills('knots', 'charts');
});
afterEach(() => ground.remove());

const FILE = 'workflows/harbor/step_config.json';
const text = (path = FILE) => readFileSync(ground.temp.path(path), 'utf8');

describe('the list of workflows', () => {
  it('has every folder with its steps, preset and remarks, broken ones too', async () => {
    const preset = ground.store.add(1, 'Watch', ['knots']);
    ground.steps('harbor', { moor: {}, sail: { enabled_skills: [] } });
    ground.temp.write('workflows/harbor/workflow.json', '{"preset": "Watch"}');
    ground.temp.write('workflows/broken/step_config.json', '{');
    ground.temp.write('workflows/empty/notes.txt', '');
    ground.temp.write('workflows/.hidden/step_config.json', '{}');
    ground.temp.write('workflows/file.txt', '');
    expect(await ground.parts.workflows.list()).toMatchObject([
      { id: 'broken', steps: [], preset_id: null, findings: [{ code: 'json_invalid', line: 1 }] },
      { id: 'empty', steps: [], findings: [{ code: 'step_config_missing', severity: 'info' }] },
      { id: 'harbor', steps: ['moor', 'sail'], preset_id: preset.id, findings: [] },
    ]);
  });

  it('is empty without a folder of workflows', async () => {
    expect(await ground.parts.workflows.list()).toEqual([]);
    await expect(ground.parts.workflows.get('harbor')).rejects.toMatchObject({ code: 'workflow_not_found' });
  });

  it('shows a workflow whose workflow.json is broken', async () => {
    ground.temp.write('workflows/harbor/workflow.json', '[1]');
    expect(await ground.parts.workflows.get('harbor')).toMatchObject({
      preset_id: null,
      findings: [{ code: 'step_config_missing' }, { code: 'workflow_file_shape' }],
    });
  });
});

describe('binding', () => {
  it('binds to a preset that exists and unbinds with null', async () => {
    const preset = ground.store.add(1, 'Watch');
    ground.steps('harbor', {});
    const { workflows } = ground.parts;
    expect(await workflows.bind('harbor', preset.id)).toMatchObject({ preset_id: preset.id });
    expect(await workflows.bind('harbor', null)).toMatchObject({ preset_id: null });
    await expect(workflows.bind('harbor', 'nobody')).rejects.toMatchObject({ code: 'preset_not_found' });
    await expect(workflows.bind('nowhere', preset.id)).rejects.toMatchObject({ code: 'workflow_not_found' });
  });
});

describe('step_config.json', () => {
  it('is read as it stands, unknown keys included, and as an empty list where there is none', () => {
    ground.temp.write(FILE, '\uFEFF{"steps": [{"id": "a", "odd": 1}], "more": {}}');
    expect(ground.parts.workflows.readStepConfig('harbor')).toEqual({
      steps: [{ id: 'a', odd: 1 }],
      more: {},
    });
    ground.temp.write('workflows/bare/x', '');
    expect(ground.parts.workflows.readStepConfig('bare')).toEqual({ steps: [] });
  });

  it('is replaced after it was judged, and kept when it is wrong', async () => {
    ground.steps('harbor', { moor: {} });
    const before = text();
    const { workflows } = ground.parts;
    for (const steps of [7, [{ id: 'a' }, { id: 'a' }], [{ id: '' }], [{ id: 'a', agent_configs: 1 }]]) {
      await expect(workflows.writeStepConfig('harbor', { steps })).rejects.toEqual(
        expect.objectContaining({ code: 'step_config_invalid' }),
      );
    }
    expect(text()).toBe(before);
    const next = { steps: [{ id: 'moor', agent_configs: { enabled_skills: [] } }], kept: true };
    expect(await workflows.writeStepConfig('harbor', next)).toEqual(next);
    expect(JSON.parse(text())).toEqual(next);
  });

  it('keeps [] and null apart through saving and loading', async () => {
    const { workflows } = ground.parts;
    ground.steps('harbor', { nothing: { enabled_skills: [] }, null: { enabled_skills: null } });
    const read = workflows.readStepConfig('harbor');
    await workflows.writeStepConfig('harbor', { ...read, note: 'edited' });
    expect(workflows.readStepConfig('harbor')).toEqual({ ...read, note: 'edited' });
  });

  it('can be repaired by replacing a file that is no JSON', async () => {
    ground.temp.write(FILE, '{"steps": [');
    const { workflows } = ground.parts;
    expect(() => workflows.readStepConfig('harbor')).toThrow(
      expect.objectContaining({ code: 'step_config_invalid' }),
    );
    expect(await workflows.writeStepConfig('harbor', { steps: [] })).toEqual({ steps: [] });
  });
});

describe('patching a step', () => {
  it('changes that step and no other byte, and answers the step', async () => {
    ground.temp.write(
      FILE,
      '{"steps": [{"id":"a",  "x": 1},\n {"id": "b", "agent_configs": {"enabled_skills": ["knots"]}}]}',
    );
    expect(
      await ground.parts.workflows.patchStep('harbor', 'b', { agent_configs: { enabled_skills: [] } }),
    ).toEqual({
      id: 'b',
      agent_configs: { enabled_skills: [] },
    });
    expect(text()).toBe(
      '{"steps": [{"id":"a",  "x": 1},\n {"id": "b", "agent_configs": {"enabled_skills": []}}]}',
    );
  });

  it('makes a step, and a file in the root, where there is none', async () => {
    ground.temp.write('workflows/harbor/notes.txt', '');
    await ground.parts.workflows.patchStep('harbor', 'moor', { enabled_skills: ['knots'] });
    expect(ground.parts.workflows.readStepConfig('harbor')).toEqual({
      steps: [{ id: 'moor', agent_configs: { enabled_skills: ['knots'] } }],
    });
    expect(existsSync(ground.temp.path(FILE))).toBe(true);
  });

  it('edits the file in planning/ where only that one exists', async () => {
    ground.temp.write('workflows/harbor/planning/step_config.json', '{"steps": []}');
    await ground.parts.workflows.patchStep('harbor', 'moor', { title: 'Moor' });
    expect(text('workflows/harbor/planning/step_config.json')).toBe(
      '{"steps": [{"id": "moor", "title": "Moor"}]}',
    );
    expect(existsSync(ground.temp.path(FILE))).toBe(false);
  });

  it('works beside a wrong step, and refuses to make a wrong one', async () => {
    ground.steps('harbor', { bad: { enabled_skills: 1 }, good: {} });
    const { workflows } = ground.parts;
    await workflows.patchStep('harbor', 'good', { enabled_skills: ['charts'] });
    const before = text();
    await expect(workflows.patchStep('harbor', 'good', { enabled_skills: [1] })).rejects.toEqual(
      expect.objectContaining({
        code: 'step_config_invalid',
        facts: expect.objectContaining({
          issues: [expect.objectContaining({ field: 'steps.1.agent_configs.enabled_skills.0' })],
        }),
      }),
    );
    await expect(workflows.patchStep('harbor', 'good', { id: 'other' })).rejects.toEqual(
      expect.objectContaining({ code: 'bad_request' }),
    );
    await expect(workflows.patchStep('harbor', ' ', {})).rejects.toEqual(
      expect.objectContaining({ code: 'bad_request' }),
    );
    expect(text()).toBe(before);
  });
});

describe('the preflight of a workflow', () => {
  it('is ok when every step gets all it names', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots'] }, nothing: { enabled_skills: [] } });
    expect(await ground.parts.workflowSkills.checkWorkflow('harbor')).toEqual({
      workflow_id: 'harbor',
      ok: true,
      problems: [],
    });
  });

  it('names step, reference and reason of everything that would fail', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['gone'] }, bad: { enabled_skills: 1 }, inherits: {} });
    const { ok, problems } = await ground.parts.workflowSkills.checkWorkflow('harbor');
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      { step_id: 'moor', ref: 'gone', code: 'skill_not_found' },
      { step_id: 'bad', ref: '', code: 'step_invalid', text: expect.stringContaining(FILE) },
      { step_id: 'inherits', ref: '', code: 'no_preset' },
    ]);
  });

  it('reports a broken file once', async () => {
    ground.temp.write(FILE, '{');
    ground.temp.write('workflows/harbor/workflow.json', '{');
    const { problems } = await ground.parts.workflowSkills.checkWorkflow('harbor');
    expect(problems.map(({ code }) => code)).toEqual(['json_invalid', 'json_invalid']);
  });
});
