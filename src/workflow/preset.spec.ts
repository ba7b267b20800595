import { describe, expect, it } from '@jest/globals';
import { parsePreset, patchPreset, type Preset, presetId } from './preset.js';
import { readPresetCursor, writePresetCursor } from './preset-cursor.js';

const stored: Preset = {
  id: '0b0e7a52-6f0c-4f6e-8a38-1c6b7c6f0001',
  label: 'Weekly report',
  selected_skills: ['charts', 'gone'],
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
};

const fieldsOf = (body: unknown) => {
  const parsed = parsePreset(body);
  return parsed.kind === 'ok' ? parsed.fields : parsed.issues;
};

describe('a preset', () => {
  it('tells absent, null and [] apart', () => {
    expect(fieldsOf({ label: 'a' })).toEqual({ label: 'a' });
    expect(fieldsOf({ label: 'a', selected_skills: null })).toEqual({ label: 'a', selected_skills: null });
    expect(fieldsOf({ label: 'a', selected_skills: [] })).toEqual({ label: 'a', selected_skills: [] });
  });

  it('has each skill once, trimmed, in the order chosen', () => {
    expect(fieldsOf({ label: ' a ', selected_skills: ['z', ' b ', 'z', 'b', 'a'] })).toEqual({
      label: 'a',
      selected_skills: ['z', 'b', 'a'],
    });
  });

  it('keeps keys that it does not know', () => {
    expect(fieldsOf({ label: 'a', llm: { model: 'x' }, flags: [1, null] })).toEqual({
      label: 'a',
      llm: { model: 'x' },
      flags: [1, null],
    });
  });

  it.each([
    ['no label', {}, 'field_missing', 'label'],
    ['a blank label', { label: '  ' }, 'field_blank', 'label'],
    ['a label of another type', { label: 7 }, 'field_type', 'label'],
    ['a long label', { label: 'x'.repeat(257) }, 'field_too_long', 'label'],
    ['a list written as text', { label: 'a', selected_skills: '["pdf"]' }, 'field_type', 'selected_skills'],
    ['a number among skills', { label: 'a', selected_skills: ['x', 3] }, 'field_type', 'selected_skills/1'],
    ['a blank among skills', { label: 'a', selected_skills: [' '] }, 'field_blank', 'selected_skills/0'],
    ['a query that is no text', { label: 'a', query: {} }, 'field_type', 'query'],
    ['an id that is no UUID', { label: 'a', id: 'p1' }, 'field_type', 'id'],
    ['a text that cannot be stored', { label: 'a', query: '\0' }, 'text_unstorable', 'query'],
    ['a list', [], 'field_type', ''],
    ['null', null, 'field_type', ''],
  ])('is refused with %s, naming the field', (_title, body, code, field) => {
    expect(parsePreset(body)).toMatchObject({
      kind: 'invalid',
      issues: [{ code, field, severity: 'error' }],
    });
  });

  it('names every wrong field at once', () => {
    const parsed = parsePreset({ label: 1, query: 2, selected_skills: 3 });
    expect(parsed.kind === 'invalid' && parsed.issues.map((issue) => issue.field)).toEqual([
      'label',
      'query',
      'selected_skills',
    ]);
  });

  it('ignores the times that a client sends back', () => {
    expect(parsePreset(stored)).toEqual({
      kind: 'ok',
      id: stored.id,
      fields: { label: 'Weekly report', selected_skills: ['charts', 'gone'] },
    });
  });
});

describe('a patch', () => {
  it('changes one key and leaves a skill that no longer exists', () => {
    expect(patchPreset(stored, { label: 'Monthly report' })).toMatchObject({
      fields: { label: 'Monthly report', selected_skills: ['charts', 'gone'] },
    });
  });

  it('sets null where null is sent', () => {
    expect(patchPreset(stored, { selected_skills: null })).toMatchObject({
      fields: { selected_skills: null },
    });
  });

  it('is judged as a whole', () => {
    expect(patchPreset(stored, { label: null })).toMatchObject({ kind: 'invalid' });
    expect(patchPreset(stored, ['label'])).toMatchObject({ kind: 'invalid' });
  });
});

describe('an id', () => {
  it('has one spelling', () => {
    expect(presetId(stored.id.toUpperCase())).toBe(stored.id);
    expect(presetId('nope')).toBeNull();
  });
});

describe('a cursor', () => {
  it('leads back to the place that it was made from', () => {
    const { id, created_at } = stored;
    expect(readPresetCursor(writePresetCursor(stored))).toEqual({ id, created_at });
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('["today","p1"]').toString('base64url')])(
    'is refused when it is %j',
    (cursor) => {
      expect(() => readPresetCursor(cursor)).toThrow(/cursor/);
    },
  );
});
