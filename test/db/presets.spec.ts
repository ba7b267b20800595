import { expect } from '@jest/globals';
import { PresetService } from '../../src/workflow/preset.service.js';
import { SqlPresetStore } from '../../src/workflow/preset.store.js';
import { describeOnDatabases, it } from '../support/databases.js';

describeOnDatabases('presets', (database) => {
  const store = () => new SqlPresetStore(database.service);
  const presets = () => new PresetService(store());

  it('keeps absent, null and [] apart, and keys that it does not know', async () => {
    const absent = await presets().create({ label: 'absent', theme: { dark: true } });
    const nothing = await presets().create({ label: 'null', selected_skills: null });
    const empty = await presets().create({ label: 'empty', selected_skills: [] });
    expect(await presets().get(absent.id)).toEqual(absent);
    expect(absent).not.toHaveProperty('selected_skills');
    expect((await presets().get(absent.id))['theme']).toEqual({ dark: true });
    expect((await presets().get(nothing.id)).selected_skills).toBeNull();
    expect((await presets().get(empty.id)).selected_skills).toEqual([]);
  });

  it('changes one key of a preset that names a missing skill', async () => {
    const { id } = await presets().create({ label: 'old', selected_skills: ['pdf', 'vanished'] });
    const renamed = await presets().patch(id, { label: 'new' });
    expect(renamed).toMatchObject({ label: 'new', selected_skills: ['pdf', 'vanished'] });
    const cut = await presets().patch(id, { selected_skills: ['pdf'] });
    expect(await presets().get(id)).toEqual(cut);
  });

  it('removes by PUT what PUT does not name', async () => {
    const { id, created_at } = await presets().create({ label: 'a', query: 'q', selected_skills: [] });
    const replaced = await presets().replace(id, { label: 'b' });
    expect(replaced).toEqual({ id, label: 'b', created_at, updated_at: replaced.updated_at });
  });

  it('refuses a second preset of one id', async () => {
    const { id } = await presets().create({ label: 'first' });
    await expect(presets().create({ id, label: 'second' })).rejects.toMatchObject({ code: 'preset_exists' });
    expect((await presets().get(id.toUpperCase())).label).toBe('first');
  });

  it('says that there is no such preset, whatever the id looks like', async () => {
    for (const id of ['nope', '', '7d9e1c1e-0000-4000-8000-000000000000']) {
      await expect(presets().get(id)).rejects.toMatchObject({ code: 'preset_not_found' });
      await expect(presets().patch(id, { label: 'x' })).rejects.toMatchObject({ code: 'preset_not_found' });
      await expect(presets().delete(id)).rejects.toMatchObject({ code: 'preset_not_found' });
    }
  });

  it('deletes a bound preset only when told to detach it', async () => {
    const { id } = await presets().create({ label: 'bound' });
    expect(await store().bind('nightly', id)).toEqual({ kind: 'bound' });
    await expect(presets().delete(id)).rejects.toMatchObject({
      code: 'preset_in_use',
      facts: { workflows: ['nightly'] },
    });
    await presets().delete(id, { detach: true });
    expect(await store().binding('nightly')).toBeNull();
    expect(await store().bind('nightly', id)).toEqual({ kind: 'preset_missing' });
  });

  it('lists in the order of creation, page by page', async () => {
    const all = await presets().list();
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await presets().list({ limit: 2, ...(cursor === null ? {} : { cursor }) });
      expect(page.total).toBe(all.total);
      pages.push(...page.presets.map((preset) => preset.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(all.presets.map((preset) => preset.id));
    await expect(presets().list({ cursor: 'x' })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('keeps both of two changes that come at once', async () => {
    const { id } = await presets().create({ label: 'race' });
    await Promise.all([presets().patch(id, { a: 1 }), presets().patch(id, { b: 2 })]);
    expect(await presets().get(id)).toMatchObject({ label: 'race', a: 1, b: 2 });
  });

  it('makes a sample once, and not again after it was deleted', async () => {
    const at = new Date().toISOString();
    const sample = { id: 'a5cbb37e-12c7-4d0e-9d5f-0d1b8f3e0001', label: 's', created_at: at, updated_at: at };
    const seeder = () => new PresetService(store(), () => [sample]);
    const made = await Promise.all([seeder().seedSamples(), seeder().seedSamples()]);
    expect(made.flat()).toEqual([sample.id]);
    await presets().delete(sample.id);
    expect(await seeder().seedSamples()).toEqual([]);
  });
});
