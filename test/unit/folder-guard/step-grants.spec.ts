import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { type AccessDecision } from '../../../src/folder-guard/decide-access.js';
import { runOperation } from '../../../src/operations/define.operation.js';
import { checkAccess } from '../../../src/operations/folder-guard.operations.js';
import { LOCAL_ADMIN } from '../../../src/operations/principal.js';
import { type FolderContext, openFolder } from '../../../src/plugin/folder-context.service.js';
import { TempFolder } from '../../support/temp-folder.js';

describe('the guard of a step', () => {
  let folder: TempFolder;
  let opened: FolderContext;

  const open = async (): Promise<void> => {
    const options = resolveOptions({
      workspace: { dir: folder.path('ws') },
      bundled: { dir: folder.path('harbor') },
    });
    opened = await openFolder(options);
  };
  const ask = (question: unknown): Promise<AccessDecision> =>
    runOperation(
      checkAccess,
      opened.context,
      { question },
      { principal: LOCAL_ADMIN, requestId: 'r', door: 'test' },
    );
  const step = (operation: string, path: string, more: Record<string, unknown> = {}) =>
    ask({ workflow_id: 'voyage', step_id: 'plot', operation, path, ...more });

  beforeEach(async () => {
    folder = new TempFolder();
    for (const slug of ['charts', 'tides', 'custom/log']) folder.skill(`ws/skills/${slug}`);
    const steps = [
      { id: 'plot', agent_configs: { enabled_skills: ['charts', 'custom/log'] } },
      { id: 'rest', agent_configs: { enabled_skills: [] } },
      { id: 'far', agent_configs: { enabled_skills: ['buoys'] } },
    ];
    folder.write('ws/workflows/voyage/step_config.json', JSON.stringify({ steps }));
    folder.skill('harbor/buoys');
    mkdirSync(folder.path('ws/skills'), { recursive: true });
    await open();
  });
  afterEach(async () => {
    await opened.close();
    folder.remove();
  });

  it('lets it read exactly its own skills', async () => {
    expect(await step('read', 'skills/charts/SKILL.md')).toEqual({
      allow: true,
      because: { kind: 'skill', text: 'skills/charts is a skill of the step' },
      path: 'skills/charts/SKILL.md',
      refused: [],
    });
    expect((await step('list', 'skills/custom/log')).allow).toBe(true);
    expect((await step('read', 'skills/tides/SKILL.md')).because.kind).toBe('not_granted');
    expect((await step('list', 'skills')).because.kind).toBe('not_granted');
    expect((await step('write', 'skills/charts/SKILL.md')).because.kind).toBe('read_only');
  });

  it('adds what the engine grants, and keeps the skills read-only in it', async () => {
    const grants = { write_paths: ['skills/custom', 'Execution'] };
    expect((await step('write', 'Execution/out.txt', { grants })).allow).toBe(true);
    expect((await step('write', 'skills/custom/fresh/SKILL.md', { grants })).allow).toBe(true);
    expect((await step('write', 'skills/custom/log/SKILL.md', { grants })).because.kind).toBe('read_only');
    expect((await step('write', 'skills/tides/SKILL.md', { grants })).because.kind).toBe('not_granted');
  });

  it('grants nothing to a step without skills and with nothing added', async () => {
    const answer = await step('read', 'skills/charts/SKILL.md', { step_id: 'rest' });
    expect(answer.because.kind).toBe('no_grants');
  });

  it('lets the learnings be written only where the engine says so', async () => {
    folder.write('ws/workflows/voyage/learnings/_global/SKILL.md', 'Mind the shoal.');
    const path = 'workflows/voyage/learnings/_global/SKILL.md';
    expect((await step('read', path)).because.kind).toBe('read_grant');
    expect((await step('write', path)).because.kind).toBe('read_only');
    const grants = { write_paths: ['workflows/voyage/learnings/_global'] };
    expect((await step('write', path, { grants })).because.kind).toBe('write_grant');
  });

  it('lets it read a skill whose folder is a link to another place of skills', async () => {
    symlinkSync(folder.path('harbor/buoys'), folder.path('ws/skills/buoys'));
    await opened.context.catalog.refresh();
    expect(await step('read', 'skills/buoys/SKILL.md', { step_id: 'far' })).toMatchObject({ allow: true });
    writeFileSync(folder.path('harbor/secret'), 'x');
    const answer = await step('read', 'skills/buoys/../secret', { step_id: 'far' });
    expect(answer.allow).toBe(false);
  });

  it.each([
    [{ workflow_id: 'gone', step_id: 'plot', operation: 'read', path: 'x' }, 'error'],
    [{ workflow_id: '../..', step_id: 'plot', operation: 'read', path: 'x' }, 'error'],
    [{ workflow_id: 'voyage', operation: 'read', path: 'x' }, 'bad_request'],
    [{ operation: 'read', path: 'x' }, 'no_grants'],
    [{ operation: 'read' }, 'bad_request'],
    [{ operation: 'fly', path: 'x' }, 'bad_request'],
    [{ operation: 'read', path: 7 }, 'bad_request'],
    [{ operation: 'read', path: 'x', grants: null }, 'bad_request'],
    [{ operation: 'read', path: 'x', grants: { read_path: ['x'] } }, 'bad_request'],
    [{ operation: 'read', path: 'x', grants: { read_paths: 'x' } }, 'bad_request'],
    [{ operation: 'read', path: 'x', grants: { read_paths: [null, 7] } }, 'no_grants'],
    [{ operation: 'read', path: 'x', sudo: true }, 'bad_request'],
    [null, 'bad_request'],
    ['read x', 'bad_request'],
    [[], 'bad_request'],
    [undefined, 'bad_request'],
  ])('answers %j, and denies it', async (question, kind) => {
    const answer = await ask(question);
    expect(answer).toMatchObject({ allow: false, because: { kind, text: expect.stringMatching(/./) } });
  });
});
