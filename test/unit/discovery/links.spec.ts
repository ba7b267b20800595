import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FolderListing } from '../../../src/workspace/file-facts.js';
import { WorkspaceFiles } from '../../../src/workspace/workspace-files.adapter.js';
import { onDisk, remarksOf, slugsOf, startedCatalog } from '../../support/catalog-of.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;

beforeEach(() => {
  temp = new TempFolder();
  mkdirSync(temp.path('skills'));
});
afterEach(() => {
  temp.remove();
});

describe('links among skill folders', () => {
  it('load when the target is a skill folder of a configured location', async () => {
    temp.skill('store/shared-notes', { name: 'linked' });
    temp.skill('skills/real');
    symlinkSync('../store/shared-notes', temp.path('skills/linked'));
    const path = [temp.path('store')];
    const catalog = await startedCatalog(temp, { options: { discovery: { path } } });
    const linked = catalog.snapshot().bySlug.get('linked');
    expect(linked).toMatchObject({
      name: 'linked',
      filePath: 'skills/linked/SKILL.md',
      availability: 'available',
    });
    expect((await catalog.content(linked!)).body).toBe('Follow the steps of linked.');
    expect((await catalog.readFile(linked!, 'SKILL.md')).bytes.toString()).toContain('name: linked');
  });

  it('are refused with a remark when the target lies elsewhere or is no skill', async () => {
    temp.skill('outside/secret');
    temp.skill('skills/group/member');
    symlinkSync('../outside/secret', temp.path('skills/leaving'));
    symlinkSync('group', temp.path('skills/category'));
    symlinkSync('../outside', temp.path('skills/container'));
    symlinkSync('.', temp.path('skills/loop'));
    symlinkSync('./gone', temp.path('skills/dead'));
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['group/member']);
    expect(remarksOf(catalog)).toEqual([
      'link_refused skills/category',
      'link_refused skills/container',
      'link_dangling skills/dead',
      'link_refused skills/leaving',
      'link_refused skills/loop',
    ]);
  });

  it('are followed no further when the target is not a skill any more', async () => {
    temp.skill('skills/real');
    symlinkSync('real', temp.path('skills/alias'));
    const catalog = await startedCatalog(temp);
    expect(slugsOf(catalog)).toEqual(['alias', 'real']);
    expect(onDisk(catalog)[0]?.findings.map(({ code }) => code)).toContain('name_shared');
  });
});

describe('a skill folder that is swapped for a link during the walk', () => {
  it.each(['settled', 'fresh'])('shows nothing of what the link leads to, below a %s folder', async (age) => {
    temp.skill('outside/one', { description: 'Secret.' });
    temp.skill('skills/one');
    temp.skill('skills/two');
    if (age === 'settled') temp.age('skills');
    class SwappedAfterListing extends WorkspaceFiles {
      override list(dir: string): FolderListing {
        const listing = super.list(dir);
        if (dir === temp.path('skills')) {
          rmSync(temp.path('skills/one'), { recursive: true });
          symlinkSync(temp.path('outside/one'), temp.path('skills/one'));
        }
        return listing;
      }
    }
    const catalog = await startedCatalog(temp, { files: new SwappedAfterListing() });
    expect(onDisk(catalog)).toMatchObject([
      { slug: 'one', description: '', availability: 'invalid', findings: [{ code: 'link_refused' }] },
      { slug: 'two', availability: 'available' },
    ]);
  });
});

describe('links and odd files inside a skill', () => {
  it('a link to a file of the same skill is a copy; all others are left out with a remark', async () => {
    temp.skill('skills/one');
    temp.write('skills/one/docs/main.md', 'Main.');
    temp.write('skills/one/.git/config', 'token');
    temp.write('outside.md', 'secret');
    symlinkSync('docs/main.md', temp.path('skills/one/copy.md'));
    symlinkSync('.git/config', temp.path('skills/one/config'));
    symlinkSync('../../outside.md', temp.path('skills/one/leaving.md'));
    symlinkSync('docs', temp.path('skills/one/folder'));
    symlinkSync('gone.md', temp.path('skills/one/dead.md'));
    temp.write('other.md', 'secret');
    linkSync(temp.path('other.md'), temp.path('skills/one/hard.md'));
    execFileSync('mkfifo', [temp.path('skills/one/pipe')]);
    const catalog = await startedCatalog(temp);
    const entry = catalog.snapshot().bySlug.get('one')!;
    const content = await catalog.content(entry);
    expect(content.files.map(({ path }) => path)).toEqual(['SKILL.md', 'copy.md', 'docs/main.md']);
    expect(content.findings.map(({ code, path }) => `${code} ${path ?? ''}`).sort()).toEqual([
      'file_not_regular hard.md',
      'file_not_regular pipe',
      'link_skipped config',
      'link_skipped dead.md',
      'link_skipped folder',
      'link_skipped leaving.md',
    ]);
    expect((await catalog.readFile(entry, 'copy.md')).bytes.toString()).toBe('Main.');
    for (const path of ['leaving.md', 'hard.md', 'pipe', '.git/config', 'folder/main.md', 'docs']) {
      await expect(catalog.readFile(entry, path)).rejects.toMatchObject({ code: 'file_not_found' });
    }
  });

  it('SKILL.md may be a link inside its folder, not out of it, and no pipe or hard link', async () => {
    temp.write('skills/inside/AGENTS.md', '---\nname: inside\ndescription: By a link.\n---\nText.\n');
    symlinkSync('AGENTS.md', temp.path('skills/inside/SKILL.md'));
    temp.write('secret.md', '---\nname: secret\ndescription: Not of this skill.\n---\nText.\n');
    for (const folder of ['leaving', 'hard', 'pipe']) mkdirSync(temp.path('skills', folder));
    symlinkSync('../../secret.md', temp.path('skills/leaving/SKILL.md'));
    linkSync(temp.path('secret.md'), temp.path('skills/hard/SKILL.md'));
    execFileSync('mkfifo', [temp.path('skills/pipe/SKILL.md')]);
    const catalog = await startedCatalog(temp);
    expect(
      onDisk(catalog).map(({ slug, description, findings }) => [slug, description, findings[0]?.code]),
    ).toEqual([
      ['hard', '', 'file_not_regular'],
      ['inside', 'By a link.', undefined],
      ['leaving', '', 'link_refused'],
      ['pipe', '', 'file_not_regular'],
    ]);
    expect(await catalog.content(catalog.snapshot().bySlug.get('inside')!)).toMatchObject({
      body: 'Text.',
      files: [{ path: 'SKILL.md' }, { path: 'AGENTS.md' }],
    });
  });
});
