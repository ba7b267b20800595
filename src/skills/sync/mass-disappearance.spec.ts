import { describe, expect, it } from '@jest/globals';
import { countLost, judgeDisappearance, type RootFacts } from './mass-disappearance.js';
import { type SyncFacts } from './sync-plan.js';

const same: RootFacts = { before: '/srv/skills 1:7', now: '/srv/skills 1:7', empty: false };
const kindOf = (known: number, absent: number, root: Partial<RootFacts> = {}): string =>
  judgeDisappearance({ known, absent, root: { ...same, ...root } }).kind;

describe('a location whose skills are missing', () => {
  it.each<[string, number, number, Partial<RootFacts>]>([
    ['does not exist, be it for one skill', 1, 1, { now: null }],
    ['is another folder at the same address', 4, 1, { now: '/srv/skills 1:8' }],
    ['is a link that points elsewhere', 4, 1, { now: '/srv/other 1:9' }],
    ['turned empty and held two', 2, 2, { empty: true }],
    ['lost six of 29, which is more than a fifth', 29, 6, {}],
    ['lost everything but what is no skill', 6, 6, {}],
  ])('vanished when it %s', (_, known, absent, root) => {
    expect(judgeDisappearance({ known, absent, root: { ...same, ...root } })).toMatchObject({
      kind: 'vanished',
      finding: 'location_vanished',
      because: expect.any(String),
    });
  });

  it.each<[string, number, number, Partial<RootFacts>]>([
    ['its only skill is deleted', 1, 1, { empty: true }],
    ['five are deleted at once', 5, 5, {}],
    ['six of 30 are deleted, which is a fifth', 30, 6, {}],
    ['it never had one and is empty', 0, 0, { empty: true }],
    ['it never had one and does not exist', 0, 0, { now: null }],
    ['it was moved with all that it holds', 9, 0, { now: '/srv/skills 2:7' }],
    ['it is looked at for the first time', 4, 1, { before: null }],
  ])('is ordinary when %s', (_, known, absent, root) => {
    expect(kindOf(known, absent, root)).toBe('ordinary');
  });

  it('names the figures', () => {
    expect(judgeDisappearance({ known: 40, absent: 31, root: same }).because).toContain('31 of 40');
  });
});

describe('what counts as lost', () => {
  const held: SyncFacts = {
    place: 'working_copy',
    base: 'a',
    catalog: { digest: 'b', deleted: false },
    disk: { kind: 'absent', confirmed: false },
    intent: null,
  };

  it('is what this workspace held, the catalogue has, and is not there, confirmed or not', () => {
    const confirmed: SyncFacts = { ...held, disk: { kind: 'absent', confirmed: true } };
    const there: SyncFacts = { ...held, disk: { kind: 'present', digest: 'a' } };
    const broken: SyncFacts = { ...held, disk: { kind: 'broken', because: 'no SKILL.md' } };
    expect(countLost([held, confirmed, there, broken])).toEqual({ known: 4, absent: 2 });
  });

  it('is not what was never here, is deleted or is being written', () => {
    expect(
      countLost([
        { ...held, base: null },
        { ...held, catalog: null },
        { ...held, catalog: { digest: 'b', deleted: true } },
      ]),
    ).toEqual({ known: 0, absent: 0 });
    expect(countLost([{ ...held, intent: { from: null, to: 'b' } }])).toEqual({ known: 1, absent: 0 });
  });
});
