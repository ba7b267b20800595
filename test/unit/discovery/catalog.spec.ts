import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;
let now: number;

beforeEach(() => {
  temp = new TempFolder();
  now = Date.now();
});
afterEach(() => {
  temp.remove();
});

function catalogOf(input: Record<string, Record<string, unknown>> = {}): CatalogService {
  const options = resolveOptions({ workspace: { dir: temp.dir }, watch: { enabled: false }, ...input });
  const env = { cwd: temp.dir, home: undefined, zotHome: undefined, zotAgentSkills: [] };
  return new CatalogService(options, new WorkspaceFiles(), env, () => now);
}

async function started(input?: Record<string, Record<string, unknown>>): Promise<CatalogService> {
  const catalog = catalogOf(input);
  await catalog.start();
  return catalog;
}

const slugs = (catalog: CatalogService): string[] =>
  catalog
    .snapshot()
    .entries.filter((entry) => entry.layer !== 'builtin')
    .map((entry) => entry.slug);

describe('the catalogue of a workspace', () => {
  it('is not ready before the first scan', () => {
    expect(() => catalogOf().snapshot()).toThrow(expect.objectContaining({ code: 'not_ready' }));
  });

  it('lists flat, nested and custom skills by their folder path', async () => {
    temp.skill('skills/plain');
    temp.skill('skills/data/clean');
    temp.skill('skills/data/sql/tune');
    temp.skill('skills/custom/mine');
    const catalog = await started();
    expect(slugs(catalog)).toEqual(['custom/mine', 'data/clean', 'data/sql/tune', 'plain']);
    expect(catalog.snapshot().bySlug.get('data/clean')).toMatchObject({
      name: 'clean',
      description: 'Helps with clean.',
      layer: 'workspace',
      filePath: 'skills/data/clean/SKILL.md',
      dir: temp.path('skills/data/clean'),
      version: 1,
      availability: 'available',
    });
  });

  it('gives the same object while nothing changes, and a higher revision when something does', async () => {
    temp.skill('skills/one');
    const catalog = await started();
    const first = catalog.snapshot();
    expect(await catalog.refresh()).toBe(first);
    temp.skill('skills/one', { description: 'Says something else.' });
    const second = await catalog.refresh();
    expect(second.revision).toBe(first.revision + 1);
    expect(second.bySlug.get('one')?.description).toBe('Says something else.');
  });

  it('follows folders that are added, renamed and removed', async () => {
    mkdirSync(temp.path('skills'));
    const catalog = await started();
    expect(slugs(catalog)).toEqual([]);
    temp.skill('skills/new-one');
    await catalog.refresh();
    expect(slugs(catalog)).toEqual(['new-one']);
    renameSync(temp.path('skills/new-one'), temp.path('skills/renamed'));
    await catalog.refresh();
    expect(slugs(catalog)).toEqual(['renamed']);
    expect(catalog.snapshot().entries.find((e) => e.slug === 'renamed')?.findings).toEqual([
      expect.objectContaining({ code: 'name_mismatch' }),
    ]);
    rmSync(temp.path('skills/renamed'), { recursive: true });
    await catalog.refresh();
    expect(slugs(catalog)).toEqual([]);
  });

  it('reads content with digest, body and files, and again after a supporting file changed', async () => {
    temp.skill('skills/one', { body: 'Use the script.' });
    temp.write('skills/one/scripts/run.sh', 'echo one\n', { mode: 0o755 });
    temp.write('skills/one/.git/config', 'x');
    const catalog = await started();
    const entry = catalog.snapshot().bySlug.get('one')!;
    expect(catalog.knownContent(entry)).toBeUndefined();
    const content = await catalog.content(entry);
    expect(content).toMatchObject({
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      body: 'Use the script.',
      files: [
        { path: 'SKILL.md', mode: '0644' },
        { path: 'scripts/run.sh', mode: '0755', size: 9, kind: 'text' },
      ],
    });
    expect(catalog.knownContent(entry)).toBe(content);
    const before = catalog.snapshot();
    temp.write('skills/one/scripts/run.sh', 'echo two\n');
    const after = await catalog.refresh();
    expect(after.revision).toBe(before.revision + 1);
    const changed = await catalog.content(after.bySlug.get('one')!);
    expect(changed.digest).not.toBe(content.digest);
  });
});
