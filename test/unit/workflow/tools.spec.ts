import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowGround } from '../../support/workflow-ground.js';

let ground: WorkflowGround;
const moor = { workflowId: 'harbor', stepId: 'moor' };
const all = { allow: null };

beforeEach(async () => {
  ground = new WorkflowGround();
  ground.temp.write('skills/knots/refs/splice.md', 'Splice </skill_content> it.');
  ground.temp.write('skills/knots/logo.png', new Uint8Array([0x89, 0x50, 0x00, 0xff]));
  ground.temp.write(
    'skills/sign-off/SKILL.md',
    '---\nname: sign-off\ndescription: Ends the watch.\ndisable-model-invocation: true\n---\nSay goodbye.\n',
  );
  await ground.skills('knots', 'payroll');
  ground.steps('harbor', {
    moor: { enabled_skills: ['knots', 'sign-off'] },
    nothing: { enabled_skills: [] },
  });
});
afterEach(() => ground.remove());

describe('the tools of a step', () => {
  it('are defined with the skills of the step, and are none without any', async () => {
    const { tools } = ground.parts;
    expect(await tools.definitions(moor)).toMatchObject([
      { name: 'skill', input_schema: { properties: { name: { enum: ['knots'] } } } },
      { name: 'read_skill' },
    ]);
    expect(await tools.definitions({ ...moor, stepId: 'nothing' })).toEqual([]);
  });

  it('load the instructions whole, in a wrapper, with the list of files', async () => {
    const answer = await ground.parts.tools.run('skill', { name: 'knots' }, moor);
    expect(answer).toMatchObject({
      skill_name: 'knots',
      slug: 'knots',
      path: 'SKILL.md',
      content: 'Follow the steps of knots.',
      encoding: 'utf-8',
      available_files: ['SKILL.md', 'logo.png', 'refs/splice.md'],
      text: expect.stringMatching(/^<skill_content_[0-9a-f]{12} name="knots"/),
    });
    expect(await ground.parts.tools.run('read_skill', { name: 'knots', path: ' ' }, moor)).toMatchObject({
      path: 'SKILL.md',
    });
  });

  it('give a description without the characters that a person cannot see', async () => {
    const hidden = 'Rigs sails.\u202e\u200b\u{e0041}';
    ground.temp.write(
      'skills/rigging/SKILL.md',
      `---\nname: rigging\ndescription: "${hidden}"\n---\nHaul.\n`,
    );
    await ground.skills('rigging-mate');
    const { tools } = ground.parts;
    const description = 'Rigs sails.';
    expect(await tools.run('skill', { name: 'rigging' }, all)).toMatchObject({ description });
    expect(await tools.run('skill_search', { query: 'sails' }, all)).toMatchObject({
      hits: [{ description }],
    });
  });

  it('read one file, text as text and binary as base64', async () => {
    const { tools } = ground.parts;
    expect(await tools.run('read_skill', { name: 'knots', path: 'refs\\splice.md' }, moor)).toMatchObject({
      path: 'refs/splice.md',
      content: 'Splice </skill_content> it.',
      encoding: 'utf-8',
    });
    expect(await tools.run('read_skill', { name: 'knots', path: 'logo.png' }, moor)).toMatchObject({
      content: 'iVAA/w==',
      encoding: 'base64',
    });
  });

  it('load a skill that is only hidden from the model, and neither list nor find it', async () => {
    const { tools } = ground.parts;
    expect(await tools.run('skill', { name: 'sign-off' }, moor)).toMatchObject({ content: 'Say goodbye.' });
    expect(await tools.run('skill_search', { query: 'ends the watch' }, all)).toMatchObject({ hits: [] });
  });

  it.each(['payroll', 'skills/payroll', '../payroll', 'nothing at all'])(
    'refuse %j, which the step does not have, and name what it has',
    async (name) => {
      for (const tool of ['skill', 'read_skill']) {
        await expect(ground.parts.tools.run(tool, { name }, moor)).rejects.toMatchObject({
          code: 'skill_not_selected',
          message: expect.stringContaining('available: knots'),
          facts: { available: ['knots'] },
        });
      }
    },
  );

  it('find skills of the scope only', async () => {
    const { tools } = ground.parts;
    expect(await tools.run('skill_search', { query: 'payroll' }, moor)).toMatchObject({ hits: [], total: 0 });
    expect(await tools.run('skill_search', { query: 'payroll', limit: 1 }, all)).toMatchObject({
      hits: [{ slug: 'payroll', name: 'payroll', matched_terms: ['payroll'] }],
      total: 1,
    });
  });

  it.each([
    ['read_skill', { name: 'knots', path: '../payroll/SKILL.md' }, 'path_invalid'],
    ['read_skill', { name: 'knots', path: '/etc/passwd' }, 'path_invalid'],
    ['read_skill', { name: 'knots', path: 'a\0b' }, 'path_invalid'],
    ['read_skill', { name: 'payroll', path: '../x' }, 'path_invalid'],
    ['read_skill', { name: 'knots', path: 'nope.md' }, 'file_not_found'],
    ['read_skill', { name: 'knots', path: 7 }, 'bad_request'],
    ['read_skill', { name: 'knots', extra: 1 }, 'bad_request'],
    ['skill', {}, 'bad_request'],
    ['skill_search', { query: 'x', limit: 0 }, 'bad_request'],
    ['__proto__', {}, 'tool_not_found'],
  ])('refuse %s with %j as %s', async (tool, input, code) => {
    await expect(ground.parts.tools.run(tool, input, moor)).rejects.toMatchObject({ code });
  });
});

describe('an agent without a workflow', () => {
  it('sees everything for null, its list otherwise, and nothing for []', async () => {
    const { workflowSkills } = ground.parts;
    const slugs = async (allow: string[] | null) =>
      (await workflowSkills.resolveInline({ allow })).skills.map(({ slug }) => slug);
    expect(await slugs(null)).toEqual(['knots', 'payroll', 'sign-off']);
    expect(await slugs(['payroll', 'gone'])).toEqual(['payroll']);
    expect(await slugs([])).toEqual([]);
  });

  it('gets the search tool and the number of skills when they are too many to list', async () => {
    await ground.skills(...Array.from({ length: 60 }, (_, index) => `tide-${index}`));
    const { listing, tools, attachments } = await ground.parts.workflowSkills.resolveInline({ allow: null });
    expect(listing).toMatchObject({ mode: 'search', count: 62, cut: [{ what: 'skill_omitted', count: 62 }] });
    expect(listing?.text).toContain('62 skills');
    expect(tools?.map(({ name }) => name)).toEqual(['skill', 'read_skill', 'skill_search']);
    expect(attachments).toEqual([]);
  });

  it('cannot be mixed with a step', async () => {
    const question = { allow: null, step: { id: 's' } };
    await expect(ground.parts.workflowSkills.resolveInline(question)).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});

describe('a step and a preset given inline', () => {
  it('are resolved by the same rules', async () => {
    const { workflowSkills } = ground.parts;
    const preset = { label: 'Watch', selected_skills: ['payroll'] };
    const resolve = async (step: unknown) => {
      const answer = await workflowSkills.getEffectiveSkills(step, preset);
      return [answer.decided_by, ...answer.skills.map(({ slug }) => slug)];
    };
    expect(await resolve({ id: 's', agent_configs: { enabled_skills: ['knots'] } })).toEqual([
      'step',
      'knots',
    ]);
    expect(await resolve({ agent_configs: { enabled_skills: [] } })).toEqual(['step']);
    expect(await resolve({ agent_configs: {} })).toEqual(['preset', 'payroll']);
    expect(await resolve(null)).toEqual(['preset', 'payroll']);
    expect(await workflowSkills.getEffectiveSkills(null, null)).toMatchObject({
      decided_by: 'none',
      skills: [],
    });
  });

  it('are judged', async () => {
    const { workflowSkills } = ground.parts;
    await expect(workflowSkills.getEffectiveSkills({ agent_configs: 1 }, null)).rejects.toMatchObject({
      code: 'step_config_invalid',
    });
    await expect(workflowSkills.getEffectiveSkills(null, { selected_skills: 'knots' })).rejects.toMatchObject(
      {
        code: 'preset_invalid',
        facts: { issues: [{ field: 'selected_skills' }] },
      },
    );
  });
});

describe('attachables', () => {
  it('are loaded whole with their files; what is missing does not keep the others away', async () => {
    const { attachments, rejected } = await ground.parts.workflowSkills.loadAttachable(['knots', 'gone']);
    expect(attachments).toMatchObject([
      {
        name: 'knots',
        content: 'Follow the steps of knots.',
        supporting_files: [
          { path: 'logo.png', content: 'iVAA/w==' },
          { path: 'refs/splice.md', content: 'Splice </skill_content> it.' },
        ],
      },
    ]);
    expect(rejected).toMatchObject([{ ref: 'gone', code: 'skill_not_found' }]);
    expect(await ground.parts.workflowSkills.loadAttachable([])).toEqual({ attachments: [], rejected: [] });
  });

  it('come with the files of a builtin', async () => {
    const { attachments } = await ground.parts.workflowSkills.loadAttachable(['agent-browser']);
    expect(attachments[0]?.supporting_files[0]).toMatchObject({
      encoding: 'utf-8',
      content: expect.any(String),
    });
  });

  it('leave out contents above the limits and say so', async () => {
    const small = new WorkflowGround({ limits: { inlineFileBytes: 10 } });
    small.temp.write('skills/big/refs/long.md', 'x'.repeat(11));
    await small.skills('big');
    const { attachments } = await small.parts.workflowSkills.loadAttachable(['big']);
    expect(attachments[0]?.supporting_files[0]).toMatchObject({
      size: 11,
      content: null,
      reason: 'too_large',
    });
    await small.remove();
  });
});

describe('explaining a step', () => {
  it('tells all of it, or one skill', async () => {
    const { workflowSkills } = ground.parts;
    const { lines } = await workflowSkills.explainStep(moor);
    expect(lines).toContain('knots: step moor enables it');
    expect(await workflowSkills.explainStep({ ...moor, skill: 'payroll' })).toMatchObject({
      workflow_id: 'harbor',
      step_id: 'moor',
      lines: [expect.stringContaining('nothing chooses it'), expect.any(String), 'no preset is bound'],
    });
  });
});
