import { describe, expect, it } from '@jest/globals';
import { planSync, type DiskState, type SyncAction, type SyncFacts, type SyncPlace } from './sync-plan.js';

const DISK: Record<string, DiskState> = {
  gone: { kind: 'absent', confirmed: true },
  missed: { kind: 'absent', confirmed: false },
  broken: { kind: 'broken', because: 'its frontmatter is never closed' },
};

/** `old`, `new`, `mine` stand for digests, `none` for null, `new deleted` for a deleted row. */
function facts(place: SyncPlace, base: string, catalog: string, disk: string): SyncFacts {
  const [digest = '', deleted] = catalog.split(' ');
  return {
    place,
    base: base === 'none' ? null : base,
    catalog: catalog === 'none' ? null : { digest, deleted: deleted === 'deleted' },
    disk: DISK[disk] ?? { kind: 'present', digest: disk },
    intent: null,
  };
}

/** An action in a line: kind, digests in the order of the action, then what is special. */
function inWords(action: SyncAction): string {
  const { kind, because, ...rest } = action;
  expect(because.length).toBeGreaterThan(10);
  const words = Object.entries(rest).map(([key, value]) => {
    if (value === null || value === false) return key === 'digest' || key === 'from' ? 'none' : '';
    if (value === true) return key;
    return key === 'thenRestore' ? `then ${value}` : value;
  });
  return [kind, ...words].filter((word) => word !== '').join(' ');
}

type Row = [base: string, catalog: string, disk: string, action: string];

function holds(place: SyncPlace, rows: readonly Row[]): void {
  it.each(rows)('base %s, catalogue %s, folder %s: %s', (base, catalog, disk, action) => {
    expect(inWords(planSync(facts(place, base, catalog, disk)))).toBe(action);
  });
}

const brokenRows: Row[] = [
  ['none', 'none', 'broken', 'wait'],
  ['old', 'none', 'broken', 'wait'],
  ['none', 'old', 'broken', 'keep last_good_kept'],
  ['old', 'old', 'broken', 'keep last_good_kept'],
  ['old', 'new', 'broken', 'keep last_good_kept'],
  ['none', 'old deleted', 'broken', 'wait'],
  ['old', 'old deleted', 'broken', 'wait'],
];

const equalRows: Row[] = [
  ['old', 'old', 'old', 'none'],
  ['none', 'old', 'old', 'set_base old'],
  ['old', 'new', 'new', 'set_base new'],
  ['none', 'none', 'gone', 'none'],
  ['none', 'none', 'missed', 'none'],
  ['none', 'old deleted', 'gone', 'none'],
  ['old', 'old deleted', 'gone', 'set_base none'],
  ['old', 'new deleted', 'gone', 'set_base none'],
  ['old', 'none', 'gone', 'set_base none'],
];

const onceRows: Row[] = [
  ['old', 'old', 'missed', 'wait'],
  ['old', 'new', 'missed', 'wait'],
  ['old', 'old deleted', 'missed', 'wait'],
  ['old', 'none', 'missed', 'wait'],
];

const importRows: Row[] = [
  ['none', 'none', 'mine', 'commit mine'],
  ['old', 'none', 'mine', 'commit mine'],
  ['old', 'none', 'old', 'commit old'],
];

describe('a working copy', () => {
  describe('that is in step, or came into step by itself', () => {
    holds('working_copy', equalRows);
  });
  describe('that was changed, or the catalogue was, or both', () => {
    holds('working_copy', [
      ...importRows,
      ['old', 'old', 'mine', 'commit mine'],
      ['old', 'new', 'old', 'write old new'],
      ['old', 'new', 'mine', 'commit mine sync_both_changed'],
      ['none', 'new', 'mine', 'commit mine sync_no_base then new'],
    ]);
  });
  describe('that is not there', () => {
    holds('working_copy', [
      ['old', 'old', 'gone', 'delete'],
      ['none', 'new', 'gone', 'write none new'],
      ['none', 'new', 'missed', 'write none new'],
      ['old', 'new', 'gone', 'write none new sync_deleted_while_changed'],
      ...onceRows,
    ]);
  });
  describe('of a deleted skill', () => {
    holds('working_copy', [
      ['old', 'old deleted', 'old', 'remove old'],
      ['old', 'new deleted', 'old', 'remove old'],
      ['old', 'old deleted', 'mine', 'commit mine sync_edited_after_delete revive'],
      ['old', 'new deleted', 'mine', 'commit mine sync_edited_after_delete revive'],
      ['old', 'new deleted', 'new', 'commit new sync_edited_after_delete revive'],
      ['none', 'old deleted', 'mine', 'commit mine revive'],
      ['none', 'old deleted', 'old', 'commit old revive'],
    ]);
  });
  describe('that cannot be read or used', () => {
    holds('working_copy', brokenRows);
  });

  it.each(['old', 'new', 'mine', 'gone', 'missed', 'broken'])(
    'with an open write is nothing but that write, here with the folder %s',
    (disk) => {
      for (const [base, catalog] of [
        ['none', 'none'],
        ['old', 'new'],
        ['old', 'old deleted'],
      ] as const) {
        const intent = { from: 'old', to: 'new' };
        const plan = planSync({ ...facts('working_copy', base, catalog, disk), intent });
        expect(inWords(plan)).toBe('finish_write old new');
      }
    },
  );
});

describe.each(['mirror', 'bundle'] as const)('a %s', (place) => {
  describe('that is in step, or came into step by itself', () => {
    holds(place, equalRows);
  });
  describe('whose folder is there: the row follows it', () => {
    holds(place, [
      ...importRows,
      ['old', 'old', 'mine', 'commit mine'],
      ['old', 'new', 'old', 'none'],
      ['old', 'new', 'mine', 'commit mine sync_both_changed'],
      ['none', 'new', 'mine', 'commit mine sync_no_base'],
    ]);
  });
  describe('whose folder is back', () => {
    holds(place, [
      ['none', 'old deleted', 'old', 'revive_same old'],
      ['old', 'old deleted', 'old', 'revive_same old'],
      ['none', 'old deleted', 'mine', 'commit mine revive'],
      ['old', 'new deleted', 'old', 'commit old revive'],
      ['old', 'old deleted', 'mine', 'commit mine sync_edited_after_delete revive'],
    ]);
  });
  describe('whose folder is not there', () => {
    const left = place === 'mirror' ? 'delete' : 'disable bundle_left';
    holds(place, [
      ['old', 'old', 'gone', left],
      ['old', 'new', 'gone', left],
      ['none', 'new', 'gone', 'none'],
      ['none', 'new', 'missed', 'none'],
      ...onceRows,
    ]);
  });
  describe('that cannot be read or used', () => {
    holds(place, brokenRows);
  });

  it('has no writes of ours, so an intent is not gone on with', () => {
    const intent = { from: 'old', to: 'new' };
    expect(inWords(planSync({ ...facts(place, 'old', 'new', 'old'), intent }))).toBe('none');
  });
});

it('says what is broken in the reason', () => {
  expect(planSync(facts('working_copy', 'old', 'old', 'broken')).because).toContain('never closed');
});
