import { describe, expect, it } from '@jest/globals';
import { entryId } from './entry-id.js';

describe('entryId', () => {
  // Made by another implementation of UUID version 5.
  it.each([
    ['workspace', 'pdf', '5c1ec48f-f959-5437-a207-cf1172dfdffe'],
    ['bundled', 'custom/über-skill', '1cbab436-b604-50a1-9cb4-31b04635da1d'],
    ['builtin', 'agent-browser', '238753ac-8fe4-5b70-be6e-a7ef728b262b'],
    ['workspace', 'é'.repeat(500), '980b02bf-d6e3-5ab8-ad9f-4771b30ac543'],
    ['path:/srv/skills', `${'Ａ'.repeat(100)}/${'😀'.repeat(90)}`, '59c04d27-72db-509e-a53b-76699487b015'],
    ['workspace', 'x'.repeat(1000), 'b96cc1c7-c716-53ac-97e7-45e899232fef'],
  ])('is UUID version 5 over layer and slug: %s %.20s', (layer, slug, id) => {
    expect(entryId(layer, slug)).toBe(id);
  });

  it('differs between layers and between slugs', () => {
    const ids = [entryId('workspace', 'pdf'), entryId('bundled', 'pdf'), entryId('workspace', 'pdfs')];
    expect(new Set(ids).size).toBe(3);
  });

  it('does not depend on the ids made before', () => {
    const first = entryId('workspace', 'pdf');
    entryId('workspace', 'a-much-longer-slug-than-the-first');
    expect(entryId('workspace', 'pdf')).toBe(first);
  });
});
