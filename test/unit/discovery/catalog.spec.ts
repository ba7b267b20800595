import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { catalogOf, slugsOf, startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(() => {
  temp.remove();
});

describe('the catalogue of a workspace', () => {
  it('is not ready before the first scan', () => {
    expect(() => catalogOf(temp).snapshot()).toThrow(expect.objectContaining({ code: 'not_ready' }));
  });

  it('lists flat, nested and custom skills by their folder path', async () => {
    temp.skill('skills/plain');
    temp.skill('skills/data/clean');
    temp.skill('skills/data/sql/tune');
    temp.skill('skills/custom/mine');
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['custom/mine', 'data/clean', 'data/sql/tune', 'plain']);
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
    const catalog = await startedCatalog(temp);
    const first = catalog.snapshot();
    expect(await catalog.refresh()).toBe(first);
    temp.skill('skills/one', { description: 'Says something else.' });
    const second = await catalog.refresh();
    expect(second.revision).toBe(first.revision + 1);
    expect(second.bySlug.get('one')?.description).toBe('Says something else.');
  });

  it('follows folders that are added, renamed and removed', async () => {
    mkdirSync(temp.path('skills'));
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual([]);
    temp.skill('skills/new-one');
    await catalog.refresh();
    expect(slugsOf(catalog)).toEqual(['new-one']);
    renameSync(temp.path('skills/new-one'), temp.path('skills/renamed'));
    await catalog.refresh();
    expect(slugsOf(catalog)).toEqual(['renamed']);
    expect(catalog.snapshot().entries.find((e) => e.slug === 'renamed')?.findings).toEqual([
      expect.objectContaining({ code: 'name_mismatch' }),
    ]);
    rmSync(temp.path('skills/renamed'), { recursive: true });
    await catalog.refresh();
    expect(slugsOf(catalog)).toEqual([]);
  });

  it('reads content with digest, body and files, and again after a supporting file changed', async () => {
    temp.skill('skills/one', { body: 'Use the script.' });
    temp.write('skills/one/scripts/run.sh', 'echo one\n', { mode: 0o755 });
    temp.write('skills/one/.git/config', 'x');
    const catalog = await startedCatalog(temp);
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
