import { describe, expect, it } from '@jest/globals';
import { finding } from '../../kernel/finding.js';
import { painter } from './paint.js';
import { type Resolution, resolutionLines } from './resolution-view.js';

const because = (text: string) => ({ kind: 'step' as const, ref: 'x', text });

const answer: Resolution = {
  workflow_id: 'demo',
  step_id: 'write',
  preset_id: null,
  decided_by: 'step',
  revision: 3,
  skills: [
    {
      id: 'id',
      slug: 'pdf',
      name: 'pdf',
      description: 'Reads PDF.',
      version: 2,
      digest: 'sha256:0',
      because: because('step write enables it'),
      mode: 'preload',
      status: 'archived',
      warnings: [finding('not_on_disk')],
      allowed_tools: null,
      model: null,
      argument_hint: null,
      effort: null,
      context: null,
      agent: null,
      permissions: null,
      user_invocable: null,
      path: null,
      disable_model_invocation: false,
    },
  ],
  rejected: [{ ref: 'gone\u001b[2J', code: 'skill_not_found', because: because('no skill has this slug') }],
  warnings: [finding('no_preset')],
  listing: {
    mode: 'inline',
    format: 'xml',
    text: '<available_skills>\n</available_skills>\n',
    tokens: 9,
    count: 1,
    cut: [{ what: 'description_shortened', count: 1, slugs: ['pdf'] }],
  },
  folder_guard: { read_paths: ['skills/pdf/', 'skills/pdf'], write_paths: [] },
};

const text = (changed: Partial<Resolution> = {}): string =>
  resolutionLines({ ...answer, ...changed }, painter(false)).join('\n');

describe('an answer for a person', () => {
  it('gives each skill with mode and reason, and each refusal with its own', () => {
    expect(text()).toContain('workflow demo, step write: 1 skill, decided by step (no preset)');
    expect(text()).toContain('  pdf v2 [preload, archived]: step write enables it');
    expect(text()).toContain('rejected\n  gone\\u{1b}[2J skill_not_found: no skill has this slug');
    expect(text()).toContain('warnings\n  - warning no_preset');
  });

  it('shows the listing as the model gets it and the paths that may be read', () => {
    expect(text()).toContain('listing (inline, xml, 9 tokens)\n<available_skills>\n</available_skills>');
    expect(text()).toContain('cut: description_shortened on 1 skill: pdf');
    expect(text()).toContain('read paths\n  skills/pdf/\n  skills/pdf');
  });

  it('leaves out parts that were not asked for or are empty', () => {
    const bare = text({
      rejected: [],
      warnings: [],
      listing: undefined,
      folder_guard: undefined,
      skills: [],
    });
    expect(bare).toBe('workflow demo, step write: 0 skills, decided by step (no preset)');
  });
});
