import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onDisk, slugsOf, startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

const discovery = { profile: 'discovery' };
let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(() => {
  temp.remove();
});

const start = (options: Record<string, unknown> = {}): ReturnType<typeof startedCatalog> =>
  startedCatalog(temp, {
    options: { discovery: { ...discovery, ...options } },
    env: {
      cwd: temp.path('project'),
      home: temp.path('home'),
      zotHome: temp.path('zot'),
      zotAgentSkills: [temp.path('extra')],
    },
  });

describe('profile discovery', () => {
  it('takes the first skill of a name in the order of the agent', async () => {
    const order = [
      ['extra', 'agent'],
      ['project/.zot/skills', 'project'],
      ['zot/skills', 'global'],
      ['project/.claude/skills', 'project (claude)'],
      ['home/.claude/skills', 'global (claude)'],
      ['project/.agents/skills', 'project (agents)'],
      ['home/.agents/skills', 'global (agents)'],
    ] as const;
    for (const [at, [dir]] of order.entries()) {
      for (const later of order.slice(0, at + 1)) temp.skill(`${dir}/${later[1].replace(/\W/g, '')}-skill`);
    }
    const catalog = await start();
    const winners = [...catalog.snapshot().bySlug.values()].filter(({ layer }) => layer !== 'builtin');
    expect(new Map(winners.map(({ name, source }) => [name, source]))).toEqual(
      new Map(order.map(([, label]) => [`${label.replace(/\W/g, '')}-skill`, label])),
    );
  });

  it('tells skills apart by name, sorts by it and looks one level deep', async () => {
    temp.skill('project/.zot/skills/folder-a', { name: 'zebra' });
    temp.skill('project/.zot/skills/folder-b', { name: 'ant' });
    temp.skill('project/.claude/skills/other', { name: 'zebra', description: 'Comes too late.' });
    temp.skill('project/.zot/skills/group/nested');
    const catalog = await start();
    expect(slugsOf(catalog)).toEqual(['ant', 'zebra', 'zebra']);
    expect(catalog.snapshot().bySlug.get('zebra')).toMatchObject({
      folderName: 'folder-a',
      source: 'project',
    });
    expect(catalog.snapshot().bySlug.get('nested')).toBeUndefined();
  });

  it('shows paths as the agent does: home as a tilde, the rest whole', async () => {
    temp.skill('home/.claude/skills/mine');
    temp.skill('project/.zot/skills/here');
    expect(onDisk(await start()).map(({ filePath }) => filePath)).toEqual([
      temp.path('project/.zot/skills/here/SKILL.md'),
      '~/.claude/skills/mine/SKILL.md',
    ]);
  });

  it('lets a user skill hide a builtin, with a remark', async () => {
    temp.skill('project/.zot/skills/browser', { name: 'agent-browser' });
    const catalog = await start();
    expect(catalog.snapshot().bySlug.get('agent-browser')).toMatchObject({
      source: 'project',
      findings: expect.arrayContaining([expect.objectContaining({ code: 'shadows_bundled' })]),
    });
  });

  it('without user skills has builtins alone', async () => {
    temp.skill('project/.zot/skills/here');
    const catalog = await start({ includeUser: false });
    expect(slugsOf(catalog)).toEqual([]);
    expect(catalog.snapshot().bySlug.has('agent-browser')).toBe(true);
  });

  it('searches named directories before the agent’s own list', async () => {
    temp.skill('first/pdf', { description: 'Named.' });
    temp.skill('extra/pdf', { description: 'Listed.' });
    const catalog = await start({ path: [temp.path('first')] });
    expect(catalog.snapshot().bySlug.get('pdf')?.description).toBe('Named.');
  });
});
