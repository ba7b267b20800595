import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveOptions } from '../../../src/config/resolve-options.js';
import { type CatalogService } from '../../../src/skills/catalog/catalog.service.js';
import { SearchService } from '../../../src/skills/search/search.service.js';
import { startedCatalog } from '../../support/catalog-of.js';
import { skillEntry } from '../../support/skill-entries.js';
import { TempFolder } from '../../support/temp-folder.js';

let temp: TempFolder;
let catalog: CatalogService;
let search: SearchService;

async function open(): Promise<void> {
  catalog = await startedCatalog(temp);
  search = new SearchService(resolveOptions(), catalog);
}

async function slugs(query: string): Promise<string[]> {
  return (await search.search({ query, limit: 10 })).found.map(({ entry }) => entry.slug);
}

beforeEach(() => {
  temp = new TempFolder();
});
afterEach(async () => {
  await search.stop();
  await catalog.stop();
  temp.remove();
});

describe('the search of a catalogue', () => {
  it('sees what the catalogue sees: added, changed and removed skills', async () => {
    temp.skill('skills/knots', { description: 'Ties ropes.' });
    await open();
    expect(await slugs('ropes')).toEqual(['knots']);
    temp.skill('skills/knots', { description: 'Bends lines.' });
    temp.skill('skills/custom/radio', { description: 'Calls for a pilot.' });
    await catalog.refresh();
    expect(await slugs('ropes')).toEqual([]);
    expect(await slugs('pilot')).toEqual(['custom/radio']);
    rmSync(temp.path('skills/custom'), { recursive: true });
    await catalog.refresh();
    expect(await slugs('pilot')).toEqual([]);
  });

  it('finds only what an agent may have, and never what is hidden from the model', async () => {
    const hidden = 'description: Signs off.\ndisable-model-invocation: true';
    temp.write('skills/sign-off/SKILL.md', `---\nname: sign-off\n${hidden}\n---\n\nText.\n`);
    temp.write('skills/torn/SKILL.md', '---\nname: torn\n---\n\nText.\n');
    await open();
    expect(await slugs('sign-off')).toEqual([]);
    expect(await slugs('torn')).toEqual([]);
    const off = skillEntry({ slug: 'off', availability: 'disabled' });
    expect(await search.search({ query: 'off', limit: 5, scope: [off] })).toMatchObject({ found: [] });
  });

  it('finds a skill by a heading of its body, at once where nobody follows in the background', async () => {
    temp.skill('skills/knots', { body: '# Bowline\n\nStep.' });
    await open();
    expect(await search.search({ query: 'bowline', limit: 5 })).toMatchObject({
      found: [{ entry: { slug: 'knots' } }],
      headingsPending: 0,
    });
  });

  it('reads headings in the background once it is started, and those of changed skills anew', async () => {
    temp.skill('skills/knots', { body: '# Bowline\n\nStep.' });
    await open();
    search.start();
    await search.whenIndexed();
    expect(await slugs('bowline')).toEqual(['knots']);
    temp.skill('skills/knots', { description: 'Changed.', body: '# Sheet bend\n\nStep.' });
    await catalog.refresh();
    await search.whenIndexed();
    expect(await slugs('bowline')).toEqual([]);
    expect(await slugs('sheet bend')).toEqual(['knots']);
  });

  it('keeps on where a body cannot be read any more', async () => {
    temp.skill('skills/knots', { body: '# Bowline' });
    temp.skill('skills/splices', { body: '# Eye splice' });
    await open();
    rmSync(temp.path('skills/knots/SKILL.md'));
    expect(await slugs('eye')).toEqual(['splices']);
    expect(await slugs('knots')).toEqual(['knots']);
  });

  it('ranks skills of a scope that are not in the catalogue', async () => {
    temp.skill('skills/knots', { description: 'Ties ropes.' });
    await open();
    const frozen = skillEntry({ slug: 'knots', description: 'Ties ribbons.' });
    const pointer = skillEntry({ slug: 'learnings', description: 'What was learned.' });
    const ask = async (query: string) =>
      (await search.search({ query, limit: 5, scope: [frozen, pointer] })).found.map(({ entry }) => entry);
    expect(await ask('ribbons')).toEqual([frozen]);
    expect(await ask('learned')).toEqual([pointer]);
    expect(await ask('ropes')).toEqual([]);
  });

  it('does not read bodies when headings count nothing', async () => {
    temp.skill('skills/knots', { body: '# Bowline' });
    catalog = await startedCatalog(temp);
    search = new SearchService(resolveOptions({ search: { headingWeight: 0 } }), catalog);
    expect(await slugs('bowline')).toEqual([]);
  });

  it('is not ready before the catalogue is', async () => {
    await open();
    const { CatalogService: Catalog } = await import('../../../src/skills/catalog/catalog.service.js');
    const { WorkspaceFiles } = await import('../../../src/workspace/workspace-files.adapter.js');
    const unready = new SearchService(resolveOptions(), new Catalog(resolveOptions(), new WorkspaceFiles()));
    await expect(unready.search({ query: 'x', limit: 1 })).rejects.toMatchObject({ code: 'not_ready' });
  });
});
