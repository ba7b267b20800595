import { describe, expect, it } from '@jest/globals';
import { skillEntry, viewOf } from '../../test/support/skill-entries.js';
import { effectiveSkills } from './effective-skills.js';
import { findInScope, toolPath } from './tool-scope.js';
import { toolDefinitions } from './tools.js';

const knots = skillEntry({ slug: 'knots', description: 'Ties ropes to a mooring.' });
const radio = skillEntry({
  slug: 'custom/radio',
  name: 'VHF radio',
  description: 'Calls the harbor by voice.',
});
const hidden = skillEntry({
  slug: 'sign-off',
  description: 'Ends the watch, ropes and all.',
  frontmatter: { disableModelInvocation: true },
});
const payroll = skillEntry({ slug: 'payroll' });
const off = skillEntry({ slug: 'off', availability: 'disabled' });

const resolution = effectiveSkills({
  view: viewOf(knots, radio, hidden, payroll, off),
  stepId: 's1',
  step: {
    id: 's1',
    title: 's1',
    enabledSkills: ['knots', 'custom/radio', 'sign-off', 'off'],
    skillModes: new Map(),
  },
  preset: null,
});

describe('toolDefinitions', () => {
  it('offer skill and read_skill with the listed slugs as enum', () => {
    const tools = toolDefinitions([radio, knots, hidden], 'inline');
    expect(tools.map(({ name }) => name)).toEqual(['skill', 'read_skill']);
    for (const { input_schema } of tools) {
      expect(input_schema).toMatchObject({
        type: 'object',
        properties: { name: { enum: ['custom/radio', 'knots'] } },
        required: ['name'],
        additionalProperties: false,
      });
    }
  });

  it('offer the search with the number of skills instead of an enum when there are too many', () => {
    const tools = toolDefinitions([radio, knots], 'search');
    expect(tools.map(({ name }) => name)).toEqual(['skill', 'read_skill', 'skill_search']);
    expect(tools[2]?.description).toContain('2 that are available');
    expect(JSON.stringify(tools)).not.toContain('enum');
  });

  it('are none when there is nothing to offer', () => {
    expect(toolDefinitions([], 'inline')).toEqual([]);
    expect(toolDefinitions([hidden], 'search')).toEqual([]);
  });
});

describe('findInScope', () => {
  it('finds by slug and by a unique name, blanks at the edges aside', () => {
    expect(findInScope(resolution, ' custom/radio ')).toBe(radio);
    expect(findInScope(resolution, 'VHF radio')).toBe(radio);
  });

  it('finds a skill that is only hidden from the model', () => {
    expect(findInScope(resolution, 'sign-off')).toBe(hidden);
  });

  it.each(['payroll', 'skills/payroll', '../payroll', 'skills/knots', 'Knots', 'nonsense', ''])(
    'refuses %j, which is not in the scope, and names what is',
    (name) => {
      expect(() => findInScope(resolution, name)).toThrow(
        expect.objectContaining({
          code: 'skill_not_selected',
          message: expect.stringContaining('available: custom/radio, knots'),
        }),
      );
    },
  );

  it('says why a skill that the step names cannot be had', () => {
    expect(() => findInScope(resolution, 'off')).toThrow('the skill is switched off');
  });

  it('asks for a slug when two skills of the scope share a name', () => {
    const twins = [skillEntry({ slug: 'a', name: 'Twin' }), skillEntry({ slug: 'b', name: 'Twin' })];
    const both = effectiveSkills({
      view: viewOf(...twins),
      stepId: 's',
      step: { id: 's', title: 's', enabledSkills: ['a', 'b'], skillModes: new Map() },
      preset: null,
    });
    expect(() => findInScope(both, 'Twin')).toThrow(
      expect.objectContaining({ code: 'ref_ambiguous', message: expect.stringContaining('a, b') }),
    );
  });
});

describe('toolPath', () => {
  it.each([[undefined], [''], ['  '], ['SKILL.md'], ['./SKILL.md']])(
    'takes %j for the instructions',
    (path) => {
      expect(toolPath(path)).toBeNull();
    },
  );

  it('reads backslashes as slashes', () => {
    expect(toolPath('refs\\part one.md')).toBe('refs/part one.md');
    expect(toolPath('./refs/a.md')).toBe('refs/a.md');
  });

  it.each(['/etc/passwd', '../x', 'a/../b', '..\\x', 'a//b', '.', 'a/.', 'x\0y', 'C:\\x'])(
    'refuses %j',
    (path) => {
      expect(() => toolPath(path)).toThrow(expect.objectContaining({ code: 'path_invalid' }));
    },
  );
});
