import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StepQuestion } from '../../../src/workflow/workflow-skills.service.js';
import { WorkflowGround } from '../../support/workflow-ground.js';

let ground: WorkflowGround;

beforeEach(async () => {
  ground = new WorkflowGround();
  await ground.skills('knots', 'charts', 'custom/radio');
});
afterEach(() => ground.remove());

function resolve(stepId: string, question: Partial<StepQuestion> = {}) {
  return ground.parts.workflowSkills.resolveStep({ workflowId: 'harbor', stepId, ...question });
}

async function slugs(stepId: string, question: Partial<StepQuestion> = {}): Promise<string[]> {
  return (await resolve(stepId, question)).skills.map(({ slug }) => slug);
}

async function bind(...selected: string[]): Promise<string> {
  const { id } = ground.store.add(1, 'Watch', selected);
  await ground.store.bind('harbor', id);
  return id;
}

describe('a step of a workflow', () => {
  it('gets its own list, else the preset, and nothing for []', async () => {
    const id = await bind('knots', 'charts');
    ground.steps('harbor', {
      own: { enabled_skills: ['custom/radio'] },
      inherits: {},
      null: { enabled_skills: null },
      nothing: { enabled_skills: [] },
    });
    expect(await slugs('own')).toEqual(['custom/radio']);
    expect(await slugs('inherits')).toEqual(['knots', 'charts']);
    expect(await slugs('null')).toEqual(['knots', 'charts']);
    expect(await slugs('nothing')).toEqual([]);
    expect(await slugs('unknown')).toEqual(['knots', 'charts']);
    expect(await resolve('inherits')).toMatchObject({
      preset_id: id,
      decided_by: 'preset',
      workflow_id: 'harbor',
    });
  });

  it('is answered whole: reasons, digest, attachments, listing, prompt, read paths and tools', async () => {
    ground.temp.write('skills/knots/refs/splice.md', 'Splice.');
    ground.temp.write(
      'skills/knots/SKILL.md',
      '---\nname: knots\ndescription: Ties.\nallowed-tools: Read\n---\nTie it.\n',
    );
    await ground.catalog.refresh();
    ground.steps('harbor', { moor: { enabled_skills: ['knots', 'gone'] } });
    const answer = await resolve('moor');
    expect(answer).toMatchObject({
      workflow_id: 'harbor',
      step_id: 'moor',
      preset_id: null,
      decided_by: 'step',
      skills: [
        {
          slug: 'knots',
          version: 1,
          digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          because: { kind: 'step', ref: 'knots', text: 'step moor enables it' },
          mode: 'offer',
          status: 'active',
          path: 'skills/knots/SKILL.md',
          allowed_tools: ['Read'],
          model: null,
        },
      ],
      rejected: [{ ref: 'gone', code: 'skill_not_found', because: { kind: 'step', ref: 'gone' } }],
      attachments: [
        {
          name: 'knots',
          content: 'Tie it.',
          supporting_files: [{ path: 'refs/splice.md', size: 7, mode: '0644', encoding: 'utf-8' }],
        },
      ],
      listing: { mode: 'inline', format: 'xml', count: 1, cut: [] },
      prompt: { preloaded: [] },
      folder_guard: { read_paths: ['skills/knots/', 'skills/knots'], write_paths: [] },
      tools: [{ name: 'skill' }, { name: 'read_skill' }],
    });
    expect(answer.attachments?.[0]?.supporting_files[0]).not.toHaveProperty('content');
    expect(answer).not.toHaveProperty('trace');
    expect(answer.prompt?.text).toBe(answer.listing?.text);
  });

  it('is answered with the asked parts only', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots'] } });
    const bare = await resolve('moor', { include: [] });
    expect(Object.keys(bare)).toEqual([
      'workflow_id',
      'step_id',
      'preset_id',
      'decided_by',
      'revision',
      'skills',
      'rejected',
      'warnings',
    ]);
    const { trace, attachments } = await resolve('moor', { include: ['trace', 'file_contents'] });
    expect(trace).toContain('knots: step moor enables it');
    expect(attachments).toHaveLength(1);
  });

  it('gets no block, no prompt and no tools when nothing is in effect', async () => {
    ground.steps('harbor', { quiet: { enabled_skills: [] } });
    const answer = await resolve('quiet', { include: ['listing', 'tools', 'folder_guard', 'attachments'] });
    expect(answer).toMatchObject({ listing: { text: '' }, prompt: { text: '' }, tools: [], attachments: [] });
    expect(JSON.stringify(answer)).not.toMatch(/available_skills|skill_search/);
  });

  it('has preloaded bodies in the prompt and not in the listing', async () => {
    ground.steps('harbor', {
      moor: { enabled_skills: ['knots', 'charts'], skill_modes: { knots: 'preload', charts: 'require' } },
    });
    const { skills, listing, prompt } = await resolve('moor');
    expect(skills.map(({ mode }) => mode)).toEqual(['preload', 'require']);
    expect(listing?.text).not.toContain('knots');
    expect(prompt?.preloaded).toEqual(['knots']);
    expect(prompt?.text).toContain('Follow the steps of knots.');
    expect((await resolve('moor')).prompt?.text).not.toBe(prompt?.text);
  });

  it('is answered by the files as they are now', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots'] } });
    expect(await slugs('moor')).toEqual(['knots']);
    ground.steps('harbor', { moor: { enabled_skills: ['charts'] } });
    expect(await slugs('moor')).toEqual(['charts']);
    ground.temp.write(
      'workflows/harbor/step_config.json',
      '{"steps": [{"id": "moor", "agent_configs": {}}]}',
      {
        fresh: true,
      },
    );
    expect(await slugs('moor')).toEqual([]);
  });

  it('lists a skill that was added and not one that was deleted', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots', 'tide'] } });
    expect(await slugs('moor')).toEqual(['knots']);
    await ground.skills('tide');
    expect(await slugs('moor')).toEqual(['knots', 'tide']);
    rmSync(ground.temp.path('skills/knots'), { recursive: true });
    await ground.catalog.refresh();
    expect(await resolve('moor')).toMatchObject({
      skills: [{ slug: 'tide' }],
      rejected: [{ ref: 'knots', code: 'skill_not_found' }],
    });
  });

  it('shows a new digest when a supporting file changes', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots'] } });
    const before = (await resolve('moor')).skills[0]?.digest;
    ground.temp.write('skills/knots/notes.md', 'New.');
    await ground.catalog.refresh();
    expect((await resolve('moor')).skills[0]?.digest).not.toBe(before);
  });

  it('gets a builtin where it is selected or its capability is stated, without a read path', async () => {
    ground.steps('harbor', {
      moor: { enabled_skills: ['knots'] },
      browse: { enabled_skills: ['agent-browser'] },
    });
    expect(await slugs('moor')).toEqual(['knots']);
    expect(await slugs('moor', { capabilities: ['browser'] })).toEqual(['knots', 'agent-browser']);
    expect(await resolve('browse')).toMatchObject({
      skills: [{ slug: 'agent-browser', path: null, warnings: [{ code: 'not_on_disk' }] }],
      folder_guard: { read_paths: [] },
      attachments: [{ name: 'agent-browser', path: null, content: expect.stringContaining('agent-browser') }],
    });
  });
});

describe('learnings of a workflow', () => {
  it('bring a pointer with a read path, unless the step wants no skills', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots'] }, nothing: { enabled_skills: [] } });
    ground.temp.write('workflows/harbor/learnings/_global/SKILL.md', 'Tides are early.');
    const answer = await resolve('moor', { include: ['attachments', 'file_contents', 'folder_guard'] });
    expect(answer.skills[1]).toMatchObject({
      slug: 'workflow-learnings',
      digest: expect.stringMatching(/^sha256:/),
      because: { kind: 'pointer' },
      user_invocable: false,
    });
    expect(answer.folder_guard?.read_paths).toEqual([
      'skills/knots/',
      'skills/knots',
      'workflows/harbor/learnings/_global/',
      'workflows/harbor/learnings/_global',
    ]);
    expect(answer.attachments?.[1]?.content).not.toContain('Tides are early');
    expect(await resolve('nothing')).toMatchObject({ skills: [], folder_guard: { read_paths: [] } });
  });

  it('bring nothing when the file is missing or blank', async () => {
    ground.steps('harbor', { moor: {} });
    expect(await slugs('moor')).toEqual([]);
    ground.temp.write('workflows/harbor/learnings/_global/SKILL.md', ' \n');
    expect(await slugs('moor')).toEqual([]);
    expect(ground.parts.workflowSkills.loadGlobalSkill('harbor')).toBeNull();
    expect(ground.parts.workflowSkills.loadGlobalSkill('')).toBeNull();
    ground.temp.write('workflows/harbor/learnings/_global/SKILL.md', 'x');
    expect(ground.parts.workflowSkills.loadGlobalSkill('workflows/harbor')?.name).toBe('workflow-learnings');
  });
});

describe('the preset of a workflow', () => {
  beforeEach(() => {
    ground.steps('harbor', { moor: {} });
  });

  it.each(['Watch', '00000000-0000-4000-8000-000000000007'])(
    'is named by workflow.json as %s',
    async (preset) => {
      ground.store.add(7, 'Watch', ['charts']);
      ground.temp.write('workflows/harbor/workflow.json', JSON.stringify({ preset }));
      expect(await slugs('moor')).toEqual(['charts']);
    },
  );

  it('is the one in the database, with a finding when workflow.json names another', async () => {
    await bind('knots');
    ground.store.add(2, 'Other', ['charts']);
    ground.temp.write('workflows/harbor/workflow.json', '{"preset": "Other"}');
    const answer = await resolve('moor');
    expect(answer.skills.map(({ slug }) => slug)).toEqual(['knots']);
    expect(answer.warnings).toMatchObject([{ code: 'preset_binding_differs', found: 'Other' }]);
    ground.temp.write('workflows/harbor/workflow.json', '{"preset": "Watch"}');
    expect((await resolve('moor')).warnings).toEqual([]);
  });

  it('is the one that the request names', async () => {
    await bind('knots');
    const other = ground.store.add(2, 'Other', ['charts']);
    expect(await slugs('moor', { presetId: other.id })).toEqual(['charts']);
    await expect(resolve('moor', { presetId: 'nonsense' })).rejects.toMatchObject({
      code: 'preset_not_found',
    });
  });

  it.each([null, [], undefined])(
    'gives nothing with selected_skills %j, never everything',
    async (selected) => {
      const { id } = ground.store.add(1, 'Empty', selected);
      await ground.store.bind('harbor', id);
      expect(await resolve('moor')).toMatchObject({ decided_by: 'preset', skills: [] });
    },
  );

  it('is reported when it does not exist or is ambiguous', async () => {
    ground.temp.write('workflows/harbor/workflow.json', '{"preset": "Nobody"}');
    expect((await resolve('moor')).warnings).toMatchObject([
      { code: 'preset_unknown' },
      { code: 'no_preset' },
    ]);
    ground.store.add(1, 'Nobody', ['knots']);
    ground.store.add(2, 'Nobody', ['charts']);
    expect((await resolve('moor')).warnings[0]).toMatchObject({
      code: 'preset_unknown',
      hint: 'several presets have this label; write the id',
    });
    const lost = ground.store.add(3, 'Lost', ['knots']);
    await ground.store.bind('harbor', lost.id);
    ground.store.lose(lost.id);
    expect((await resolve('moor')).warnings.map(({ code }) => code)).toEqual([
      'preset_unknown',
      'preset_binding_differs',
      'no_preset',
    ]);
  });

  it('cannot be told when workflow.json is broken, unless the database says it', async () => {
    ground.temp.write('workflows/harbor/workflow.json', '{');
    await expect(resolve('moor')).rejects.toMatchObject({ code: 'workflow_file_invalid' });
    await bind('knots');
    expect(await slugs('moor')).toEqual(['knots']);
  });
});

describe('what is refused', () => {
  it('an unknown workflow and an id that is no folder name', async () => {
    await expect(resolve('s', { workflowId: 'nowhere' })).rejects.toMatchObject({
      code: 'workflow_not_found',
    });
    for (const workflowId of ['..', '../harbor', 'a/b', '', '.hidden', 'a\\b', 'a\0']) {
      await expect(resolve('s', { workflowId })).rejects.toMatchObject({ code: 'path_invalid' });
    }
  });

  it('under strict: a missing skill, a missing preset and a step without an entry', async () => {
    ground.steps('harbor', { moor: { enabled_skills: ['knots', 'gone'] }, inherits: {} });
    await expect(resolve('moor', { strict: true })).rejects.toMatchObject({
      code: 'skills_rejected',
      facts: { step_id: 'moor', rejected: [{ ref: 'gone', code: 'skill_not_found' }] },
    });
    await expect(resolve('inherits', { strict: true })).rejects.toMatchObject({
      code: 'skills_rejected',
      facts: { issues: [{ code: 'no_preset' }] },
    });
    await bind('knots');
    expect(await slugs('inherits', { strict: true })).toEqual(['knots']);
    await expect(resolve('inherit', { strict: true })).rejects.toMatchObject({
      code: 'skills_rejected',
      facts: { issues: [{ code: 'step_not_configured', hint: 'the nearest configured step is inherits' }] },
    });
  });

  it('a wrong step alone, and every step of a wrong file', async () => {
    ground.steps('harbor', { bad: { enabled_skills: 'knots' }, good: { enabled_skills: ['knots'] } });
    await expect(resolve('bad')).rejects.toMatchObject({
      code: 'step_config_invalid',
      facts: {
        issues: [
          { field: 'steps.0.agent_configs.enabled_skills', path: 'workflows/harbor/step_config.json' },
        ],
      },
    });
    expect(await slugs('good')).toEqual(['knots']);
    ground.temp.write('workflows/harbor/step_config.json', '{"steps": [}');
    await expect(resolve('good')).rejects.toMatchObject({
      code: 'step_config_invalid',
      message: expect.stringContaining('line 1, column 12'),
    });
  });
});

describe('both places of step_config.json', () => {
  it('are read, the one in the root wins with a finding', async () => {
    ground.temp.write(
      'workflows/harbor/planning/step_config.json',
      '{"steps": [{"id": "s", "agent_configs": {"enabled_skills": ["knots"]}}]}',
    );
    expect(await slugs('s')).toEqual(['knots']);
    ground.steps('harbor', { s: { enabled_skills: ['charts'] } });
    const answer = await resolve('s');
    expect(answer.skills.map(({ slug }) => slug)).toEqual(['charts']);
    expect(answer.warnings).toMatchObject([{ code: 'step_config_twice' }]);
  });
});
