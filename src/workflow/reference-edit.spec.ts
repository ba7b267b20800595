import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changeConfigReferences, changeReferences, detaching, retargeting } from './reference-edit.js';

const FILE = `{
  "steps": [
    { "id": "moor", "agent_configs": {"enabled_skills": [
        "knots",   "charts@3",
        "knots@stable"
      ], "skill_modes": { "knots": "preload" , "charts":"require" }}},
    { "id": "sail", "title": "knots", "agent_configs": { "enabled_skills": [ "knots" ] } },
    { "id": "rest", "agent_configs": { "enabled_skills": [], "skill_modes": null } },
    { "id": "odd", "enabled_skills": ["knots"], "agent_configs": 7 }
  ]
}
`;

const without = (...gone: string[]) => detaching((ref) => gone.includes(ref.split('@')[0]!));

describe('retargeting references', () => {
  it('keeps pins and every other byte', () => {
    const changed = changeConfigReferences(FILE, retargeting('knots', 'custom/ropes'));
    expect(changed).toEqual({
      text: FILE.replace('"knots",   "charts@3"', '"custom/ropes",   "charts@3"')
        .replace('"knots@stable"', '"custom/ropes@stable"')
        .replace('{ "knots": "preload"', '{ "custom/ropes": "preload"')
        .replace('[ "knots" ]', '[ "custom/ropes" ]'),
      steps: ['moor', 'sail'],
      emptied: [],
    });
  });

  it('leaves a label alone that spells the slug, and names nothing twice', () => {
    const text =
      '{"steps": [{"id": "a", "agent_configs": {"enabled_skills": ["knots@knots", "ropes", "knots"]}}]}';
    expect(changeConfigReferences(text, retargeting('knots', 'ropes'))?.text).toBe(
      '{"steps": [{"id": "a", "agent_configs": {"enabled_skills": ["ropes@knots", "ropes"]}}]}',
    );
    expect(changeReferences(['knots@knots', 'ropes', 'knots'], retargeting('knots', 'ropes'))).toEqual([
      'ropes@knots',
      'ropes',
    ]);
  });

  it('finds a slug that the file writes with escapes', () => {
    const text = String.raw`{"steps":[{"id":"a","agent_configs":{"enabled_skills":["kn\u006fts"],"skill_modes":{"k\u006Eots":"offer"}}}]}`;
    expect(changeConfigReferences(text, retargeting('knots', 'ropes'))?.text).toBe(
      '{"steps":[{"id":"a","agent_configs":{"enabled_skills":["ropes"],"skill_modes":{"ropes":"offer"}}}]}',
    );
  });
});

describe('detaching references', () => {
  it('leaves [] where nothing is left, and says so', () => {
    const changed = changeConfigReferences(FILE, without('knots'));
    expect(changed).toMatchObject({ steps: ['moor', 'sail'], emptied: ['sail'] });
    expect(changed?.text).toBe(
      FILE.replace('"knots",   "charts@3",\n        "knots@stable"', '"charts@3"')
        .replace('"knots": "preload" , "charts"', '"charts"')
        .replace('[ "knots" ]', '[]'),
    );
  });

  it('says nothing about texts that name no such skill or are no step_config.json', () => {
    for (const text of [FILE, '{"steps": 7}', '[]', '{', '']) {
      expect(changeConfigReferences(text, without('sextant'))).toBeNull();
    }
    const refs = ['knots'];
    expect(changeReferences(refs, without('sextant'))).toBe(refs);
  });

  it('gives the same lists as filtering the parsed file, however it is laid out', () => {
    const ref = fc.constantFrom('a', 'b', 'a@2', 'b@stable', 'c');
    const step = fc.record({
      list: fc.array(ref, { maxLength: 6 }),
      modes: fc.uniqueArray(ref, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), fc.constantFrom(0, 2), (steps, indent) => {
        const document = {
          steps: steps.map(({ list, modes }, id) => ({
            id: `s${id}`,
            agent_configs: {
              enabled_skills: list,
              skill_modes: Object.fromEntries(modes.map((key) => [key, 'offer'])),
            },
          })),
        };
        const text = JSON.stringify(document, null, indent);
        const changed = changeConfigReferences(text, without('a'));
        const isGone = (one: string): boolean => one.startsWith('a');
        const expected = {
          steps: document.steps.map(({ id, agent_configs: { enabled_skills, skill_modes } }) => ({
            id,
            agent_configs: {
              enabled_skills: enabled_skills.filter((one) => !isGone(one)),
              skill_modes: Object.fromEntries(Object.entries(skill_modes).filter(([key]) => !isGone(key))),
            },
          })),
        };
        expect(JSON.parse(changed?.text ?? text)).toEqual(expected);
      }),
    );
  });
});
