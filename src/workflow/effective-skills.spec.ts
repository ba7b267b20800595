import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { skillEntry, viewOf } from '../../test/support/skill-entries.js';
import { allowedSkills, effectiveSkills, judgeStrictly, type Resolution } from './effective-skills.js';
import { pinOnDisk, type ResolutionView } from './resolve-ref.js';
import { type SkillMode, type StepSettings } from './step-settings.js';

const knots = skillEntry({ slug: 'knots' });
const charts = skillEntry({ slug: 'charts' });
const radio = skillEntry({ slug: 'custom/radio', name: 'VHF radio' });
const view = viewOf(knots, charts, radio);
const preset = { id: 'p1', label: 'Watch', selectedSkills: ['charts', 'knots'] };

function step(enabledSkills: string[] | null, modes: Record<string, SkillMode> = {}): StepSettings {
  return { id: 's1', title: 's1', enabledSkills, skillModes: new Map(Object.entries(modes)) };
}

function resolve(
  enabledSkills: string[] | null,
  options: Partial<Parameters<typeof effectiveSkills>[0]> = {},
) {
  return effectiveSkills({ view, stepId: 's1', step: step(enabledSkills), preset, ...options });
}

const slugs = (resolution: Resolution) => resolution.skills.map(({ entry }) => entry.slug);
const codes = (resolution: Resolution) => resolution.warnings.map(({ code }) => code);

describe('whose list counts', () => {
  it("takes the step's list instead of the preset's, in the step's order", () => {
    const resolution = resolve(['knots', 'custom/radio']);
    expect(resolution.decidedBy).toBe('step');
    expect(slugs(resolution)).toEqual(['knots', 'custom/radio']);
    expect(resolution.skills[0]?.because).toEqual({ kind: 'step', ref: 'knots', text: 'step s1 enables it' });
  });

  it("leaves it to the preset when the step's list is absent or null", () => {
    const resolution = resolve(null);
    expect(resolution.decidedBy).toBe('preset');
    expect(slugs(resolution)).toEqual(['charts', 'knots']);
    expect(resolution.skills[0]?.because).toMatchObject({ kind: 'preset', text: 'preset Watch selects it' });
    expect(resolution.warnings).toEqual([]);
  });

  it('takes an empty list for a choice', () => {
    const resolution = resolve([]);
    expect(resolution.decidedBy).toBe('step');
    expect(resolution.skills).toEqual([]);
    expect(resolution.warnings).toEqual([]);
  });

  it.each([[null], [[]]])('gives nothing for a preset with %j, never everything', (selectedSkills) => {
    const resolution = resolve(null, { preset: { ...preset, selectedSkills } });
    expect(resolution.decidedBy).toBe('preset');
    expect(resolution.skills).toEqual([]);
  });

  it('gives nothing without a preset and says so', () => {
    const resolution = resolve(null, { preset: null });
    expect(resolution).toMatchObject({ decidedBy: 'none', skills: [], warnings: [{ code: 'no_preset' }] });
  });

  it('inherits the preset for a step that is not configured, and names the nearest one', () => {
    const resolution = resolve(null, { step: null, stepId: 'mor', knownStepIds: ['sail', 'moor'] });
    expect(slugs(resolution)).toEqual(['charts', 'knots']);
    expect(resolution.warnings).toMatchObject([
      { code: 'step_not_configured', found: 'mor', hint: 'the nearest configured step is moor' },
    ]);
  });
});

describe('references', () => {
  it('are trimmed and taken once, the repeat is reported', () => {
    const resolution = resolve([' knots ', 'charts', 'knots', 'knots@1']);
    expect(slugs(resolution)).toEqual(['knots', 'charts']);
    expect(codes(resolution)).toEqual(['ref_duplicate', 'ref_duplicate']);
  });

  it('match a name that only one skill carries, with a finding', () => {
    const resolution = resolve(['VHF radio']);
    expect(slugs(resolution)).toEqual(['custom/radio']);
    expect(resolution.skills[0]?.warnings).toMatchObject([
      { code: 'ref_by_name', hint: 'write the slug custom/radio' },
    ]);
  });

  it('prefer the slug when another skill carries it as its name', () => {
    const twin = skillEntry({ slug: 'custom/knots', name: 'knots' });
    expect(slugs(resolve(['knots'], { view: viewOf(knots, twin) }))).toEqual(['knots']);
  });

  it('are rejected with the candidates when several skills carry the name', () => {
    const both = viewOf(skillEntry({ slug: 'a', name: 'Twin' }), skillEntry({ slug: 'b', name: 'Twin' }));
    expect(resolve(['Twin'], { view: both }).rejected).toMatchObject([
      { ref: 'Twin', code: 'ref_ambiguous', candidates: ['a', 'b'] },
    ]);
  });

  it('do not match by another case, a prefix or a folder path', () => {
    const { skills, rejected } = resolve(['Knots', 'kno', 'skills/knots', 'radio']);
    expect(skills).toEqual([]);
    expect(rejected.map(({ code }) => code)).toEqual(Array(4).fill('skill_not_found'));
  });

  it('pin a version or a digest that exists, and are rejected otherwise', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const withDigest: ResolutionView = {
      ...view,
      digestOf: () => digest,
      pin: (entry, target) => pinOnDisk(entry, target, digest),
    };
    const resolution = resolve(['knots@1', `charts@${digest}`, 'custom/radio@2'], { view: withDigest });
    expect(slugs(resolution)).toEqual(['knots', 'charts']);
    expect(resolution.skills[0]?.because).toMatchObject({ kind: 'pin', ref: 'knots@1' });
    expect(resolution.rejected).toMatchObject([
      {
        ref: 'custom/radio@2',
        code: 'version_not_found',
        because: { text: 'the skill has no version 2; it has 1' },
      },
    ]);
    expect(resolve(['knots@ready']).rejected).toMatchObject([{ code: 'label_not_found' }]);
  });

  it.each(['', '   ', '../knots', 'knots@', 'a\u0007b'])('that can name nothing are rejected: %j', (ref) => {
    expect(resolve(['charts', ref])).toMatchObject({
      skills: [{ entry: charts }],
      rejected: [{ ref: ref.trim(), code: 'ref_invalid' }],
    });
  });

  it.each([
    ['disabled', 'skill_disabled'],
    ['invalid', 'skill_invalid'],
    ['revoked', 'skill_revoked'],
    ['deleted', 'skill_deleted'],
  ] as const)('to a skill that is %s are rejected as %s, by slug and by name', (availability, code) => {
    const hidden = viewOf(skillEntry({ slug: 'tide', name: 'Tides', availability }));
    expect(resolve(['tide', 'Tides'], { view: hidden }).rejected.map((each) => each.code)).toEqual([
      code,
      code,
    ]);
  });

  it('are each answered: every one is a skill, a rejection or a reported repeat', () => {
    const ref = fc.oneof(
      fc.constantFrom('knots', 'charts', 'custom/radio', 'VHF radio', 'gone', '', '@'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(ref, { maxLength: 12 }), (refs) => {
        const { skills, rejected, warnings } = resolve(refs);
        expect(skills.length + rejected.length + warnings.length).toBe(refs.length);
        expect(new Set(skills).size).toBe(skills.length);
      }),
    );
  });
});

describe('modes', () => {
  it('are set by slug or by the reference as written, and offer is the default', () => {
    const resolution = resolve(['knots', 'charts', 'VHF radio'], {
      step: step(['knots', 'charts', 'VHF radio'], { knots: 'preload', 'VHF radio': 'require' }),
    });
    expect(resolution.skills.map(({ mode }) => mode)).toEqual(['preload', 'offer', 'require']);
  });

  it('apply to skills of the preset too', () => {
    const resolution = resolve(null, { step: step(null, { charts: 'preload' }) });
    expect(resolution.skills.map(({ mode }) => mode)).toEqual(['preload', 'offer']);
  });

  it('for a skill that the step does not get are reported', () => {
    const resolution = resolve(['knots'], { step: step(['knots'], { charts: 'require' }) });
    expect(resolution.warnings).toMatchObject([{ code: 'mode_without_skill', found: 'charts' }]);
  });
});

describe('what else a step gets', () => {
  const browser = skillEntry({ slug: 'agent-browser', layer: 'builtin', filePath: 'builtin:agent-browser' });
  const pointer = skillEntry({ slug: 'workflow-learnings', layer: 'builtin' });

  it('adds what a capability brings, once', () => {
    const withBrowser = viewOf(knots, browser);
    const added = resolve(['knots'], { view: withBrowser, brought: ['agent-browser'] });
    expect(slugs(added)).toEqual(['knots', 'agent-browser']);
    expect(added.skills[1]?.because.kind).toBe('builtin');
    const chosen = resolve(['agent-browser', 'knots'], { view: withBrowser, brought: ['agent-browser'] });
    expect(slugs(chosen)).toEqual(['agent-browser', 'knots']);
    expect(chosen.skills[0]?.because.kind).toBe('step');
  });

  it('adds the pointer to learnings unless the step says that it wants no skills', () => {
    expect(slugs(resolve(['knots'], { pointer }))).toEqual(['knots', 'workflow-learnings']);
    expect(slugs(resolve(null, { pointer }))).toContain('workflow-learnings');
    // It has a read path, though it lies in no folder of skills.
    expect(resolve(['knots'], { pointer }).skills.at(-1)?.warnings).toEqual([]);
    expect(slugs(resolve([], { pointer }))).toEqual([]);
  });

  it("gives a sub-step its parent's skills and adds its own list, not the preset's", () => {
    const parent = { stepId: 'boss', skills: resolve(['charts']).skills };
    const child = resolve(['knots', 'charts'], { parent });
    expect(slugs(child)).toEqual(['charts', 'knots']);
    expect(child.skills[0]?.because).toMatchObject({
      kind: 'inherited',
      text: 'the parent step boss has it',
    });
    expect(slugs(resolve(null, { parent }))).toEqual(['charts']);
  });

  it('warns about a skill that lies outside the workspace or lacks a dependency', () => {
    const lacking = skillEntry({
      slug: 'tide',
      status: 'archived',
      availability: 'degraded',
      missingDeps: ['pip:tides'],
    });
    const { skills } = resolve(['agent-browser', 'tide'], { view: viewOf(browser, lacking) });
    expect(skills.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
      ['not_on_disk'],
      ['dependency_missing'],
    ]);
    expect(skills[1]?.warnings[0]?.message).toBe('missing: pip:tides');
  });
});

describe('strict resolution', () => {
  it('accepts a step that gets all it names', () => {
    expect(judgeStrictly(resolve(['knots'])).kind).toBe('accepted');
  });

  it.each([
    ['a reference without a skill', resolve(['gone'])],
    ['no preset', resolve(null, { preset: null })],
    ['a step that is not configured', resolve(null, { step: null })],
  ])('refuses %s', (_, resolution) => {
    expect(judgeStrictly(resolution)).toMatchObject({ kind: 'refused', because: expect.any(String) });
  });
});

describe('what an agent without a workflow may see', () => {
  const off = skillEntry({ slug: 'off', availability: 'disabled' });
  const browser = skillEntry({ slug: 'agent-browser', layer: 'builtin' });
  const all = viewOf(knots, charts, off, browser);

  it('is everything usable for null, builtins only with their capability', () => {
    expect(slugs(allowedSkills(all, null))).toEqual(['charts', 'knots']);
    expect(slugs(allowedSkills(all, null, ['agent-browser']))).toEqual(['charts', 'knots', 'agent-browser']);
  });

  it('is the list when there is one, and nothing for an empty list', () => {
    const resolution = allowedSkills(all, ['knots', 'off']);
    expect(slugs(resolution)).toEqual(['knots']);
    expect(resolution.rejected).toMatchObject([{ code: 'skill_disabled', because: { kind: 'allow_list' } }]);
    expect(allowedSkills(all, []).skills).toEqual([]);
  });
});
