import { describe, expect, it } from '@jest/globals';
import { skillEntry, viewOf } from '../../test/support/skill-entries.js';
import { effectiveSkills } from './effective-skills.js';
import { explainSkill, traceResolution, type TraceFacts } from './explain.js';

const knots = skillEntry({ slug: 'knots' });
const charts = skillEntry({ slug: 'charts', availability: 'disabled' });
const radio = skillEntry({ slug: 'radio' });
const view = viewOf(knots, charts, radio);
const facts: TraceFacts = {
  stepId: 'moor',
  stepList: 'list',
  preset: { name: 'Watch', boundBy: 'bound in the database' },
};
const resolution = effectiveSkills({
  view,
  stepId: 'moor',
  step: {
    id: 'moor',
    title: 'moor',
    enabledSkills: ['knots', 'charts', ''],
    skillModes: new Map([['knots', 'preload'] as const]),
  },
  preset: null,
});

describe('traceResolution', () => {
  it('says whose list counts, then each skill, rejection and remark', () => {
    expect(traceResolution(resolution, facts)).toEqual([
      "step moor has its own enabled_skills, which replaces the preset's list",
      'the preset is Watch, bound in the database',
      'knots: step moor enables it; mode preload',
      'charts: rejected (skill_disabled): the skill is switched off',
      '(blank): rejected (ref_invalid): the reference is blank',
    ]);
  });
});

describe('explainSkill', () => {
  const explain = (ref: string) => explainSkill(resolution, view, facts, ref)[0];

  it('says why a skill is there', () => {
    expect(explain('knots')).toBe('knots: step moor enables it');
  });

  it('says why a skill that was named is not', () => {
    expect(explain('charts')).toBe('charts: rejected (skill_disabled): the skill is switched off');
  });

  it('says that nobody chose a skill that exists', () => {
    expect(explain('radio')).toBe('radio: it exists and could be used, but nothing chooses it for step moor');
  });

  it('names the nearest slug for one that does not exist', () => {
    expect(explain('radoi')).toBe('radoi: no skill has this slug or name; the nearest slug is radio');
  });
});
