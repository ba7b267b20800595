import { describe, expect, it } from '@jest/globals';
import { parseStepConfig, type ConfiguredStep, type StepConfig } from './step-config.js';

const PATH = 'workflows/harbor/step_config.json';

function step(config: StepConfig, id: string): ConfiguredStep {
  if (config.kind !== 'ok') throw new Error(config.findings.map(({ message }) => message).join());
  const found = config.steps.get(id);
  if (!found) throw new Error(`no step ${id}`);
  return found;
}

function skillsOf(config: StepConfig, id: string): readonly string[] | null {
  const found = step(config, id);
  if (found.kind !== 'ok') throw new Error('the step is invalid');
  return found.step.enabledSkills;
}

describe('parseStepConfig', () => {
  it('keeps absent, null, [] and a list apart as far as they mean different things', () => {
    const config = parseStepConfig(
      JSON.stringify({
        steps: [
          { id: 'bare' },
          { id: 'absent', agent_configs: { selected_servers: ['charts'] } },
          { id: 'null', agent_configs: { enabled_skills: null } },
          { id: 'no-configs', agent_configs: null },
          { id: 'nothing', agent_configs: { enabled_skills: [] } },
          { id: 'some', agent_configs: { enabled_skills: ['knots', ' knots ', ''] } },
        ],
      }),
      PATH,
    );
    expect(['bare', 'absent', 'null', 'no-configs'].map((id) => skillsOf(config, id))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(skillsOf(config, 'nothing')).toEqual([]);
    expect(skillsOf(config, 'some')).toEqual(['knots', ' knots ', '']);
  });

  it('reads modes', () => {
    const text =
      '{"steps":[{"id":" moor ","title":"Moor","agent_configs":{"skill_modes":{"knots":"preload"}}}]}';
    const found = step(parseStepConfig(text, PATH), 'moor');
    expect(found).toMatchObject({ kind: 'ok', step: { id: 'moor', title: 'Moor' } });
    if (found.kind === 'ok') expect([...found.step.skillModes]).toEqual([['knots', 'preload']]);
  });

  it('names line and column of what is no JSON', () => {
    const config = parseStepConfig('{\n  "steps": [\n    {"id": "a",}\n  ]\n}', PATH);
    expect(config).toMatchObject({
      kind: 'invalid',
      findings: [{ code: 'json_invalid', path: PATH, line: 3, column: 16 }],
    });
  });

  it.each([
    ['[]', 'the file is not an object'],
    ['"steps"', 'the file is not an object'],
    ['{}', '"steps" is missing'],
    ['{"steps": {}}', '"steps" is not a list'],
  ])('refuses the shape %s', (text, message) => {
    expect(parseStepConfig(text, PATH)).toMatchObject({
      kind: 'invalid',
      findings: [{ code: 'step_config_shape', message }],
    });
  });

  it('refuses two steps of one id and names both places', () => {
    const text = '{"steps": [\n{"id": "a"},\n{"id": "b"},\n{"id": " a"}\n]}';
    expect(parseStepConfig(text, PATH)).toMatchObject({
      kind: 'invalid',
      findings: [
        {
          code: 'step_duplicate',
          message: 'steps 0 and 2 have the same id "a"',
          line: 4,
          field: 'steps.2.id',
        },
      ],
    });
  });

  it('lets one wrong step be wrong alone, with file, line, step and field', () => {
    const text = [
      '{"steps": [',
      '  {"id": "good", "agent_configs": {"enabled_skills": ["knots"]}},',
      '  {"id": "bad", "agent_configs": {',
      '    "enabled_skills": ["knots", 7]',
      '  }}',
      ']}',
    ].join('\n');
    const config = parseStepConfig(text, PATH);
    expect(skillsOf(config, 'good')).toEqual(['knots']);
    expect(step(config, 'bad')).toMatchObject({
      kind: 'invalid',
      findings: [
        {
          severity: 'error',
          path: PATH,
          line: 4,
          field: 'steps.1.agent_configs.enabled_skills.1',
          message: 'step "bad": agent_configs.enabled_skills.1 must be a text',
          found: '"7"',
        },
      ],
    });
  });

  it.each([
    [{ id: 's', agent_configs: [] }, 'agent_configs'],
    [{ id: 's', agent_configs: { enabled_skills: 'knots' } }, 'agent_configs.enabled_skills'],
    [{ id: 's', agent_configs: { skill_modes: ['knots'] } }, 'agent_configs.skill_modes'],
    [{ id: 's', agent_configs: { skill_modes: { knots: 'always' } } }, 'agent_configs.skill_modes.knots'],
    [{ id: 7 }, 'id'],
  ])('calls %j wrong at %s', (value, field) => {
    const config = parseStepConfig(JSON.stringify({ steps: [value] }), PATH);
    expect(step(config, String(value.id))).toMatchObject({
      kind: 'invalid',
      findings: [{ code: 'step_invalid', field: `steps.0.${field}` }],
    });
  });

  it.each([[{}], [{ id: '' }], [{ id: '  ' }], ['text'], [null]])(
    'reports a step without an id: %j',
    (value) => {
      const config = parseStepConfig(JSON.stringify({ steps: [value, { id: 'other' }] }), PATH);
      expect(config).toMatchObject({ kind: 'ok', findings: [{ code: 'step_invalid' }] });
      expect(step(config, 'other').kind).toBe('ok');
    },
  );

  it('says that enabled_skills beside agent_configs has no effect', () => {
    const config = parseStepConfig('{"steps": [{"id": "s", "enabled_skills": ["knots"]}]}', PATH);
    expect(skillsOf(config, 's')).toBeNull();
    expect(step(config, 's').findings).toMatchObject([{ code: 'step_key_misplaced', severity: 'warning' }]);
  });

  it('is not fooled by keys that mean something to JavaScript', () => {
    const text =
      '{"steps": [{"id": "__proto__", "__proto__": {"agent_configs": {"enabled_skills": ["x"]}}}]}';
    expect(skillsOf(parseStepConfig(text, PATH), '__proto__')).toBeNull();
  });
});
