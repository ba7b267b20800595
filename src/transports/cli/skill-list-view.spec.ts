import { describe, expect, it } from '@jest/globals';
import { finding } from '../../kernel/finding.js';
import { painter } from './paint.js';
import { skillListLines, skillListNotes, type SkillRow, splitRows } from './skill-list-view.js';

const view = { width: null, paint: painter(false) };
const keepAll = { hideBuiltins: false };

function row(slug: string, changed: Partial<SkillRow> = {}): SkillRow {
  return {
    id: `id-${slug}-${changed.source ?? ''}`,
    slug,
    name: slug,
    description: `About ${slug}.`,
    version: 1,
    digest: null,
    is_system: false,
    builtin: false,
    status: 'active',
    enabled: true,
    disabled_reason: null,
    availability: 'available',
    visibility: 'internal',
    layer: 'workspace',
    source: 'workspace',
    origin: 'disk',
    author: null,
    tags: [],
    file_path: `skills/${slug}/SKILL.md`,
    shadowed_by: null,
    disable_model_invocation: false,
    user_invocable: null,
    missing_deps: [],
    updated_at: null,
    findings_count: 0,
    used_by_count: 0,
    ...changed,
  };
}

const winner = row('pdf');
const shadowed = row('pdf', { source: 'bundled', availability: 'shadowed', shadowed_by: winner.id });
const broken = row('torn', {
  availability: 'invalid',
  findings: [
    finding('name_missing'),
    finding('yaml_invalid', { path: 'skills/torn/SKILL.md', line: 4, message: 'Not YAML.' }),
  ],
});
const builtin = row('browse', { builtin: true, source: 'builtin' });

describe('the list of skills', () => {
  it('shows what can be used or switched on, in the order that it got', () => {
    const rows = [winner, row('off', { availability: 'disabled' }), row('odd', { missing_deps: ['pip:x'] })];
    expect(skillListLines(splitRows(rows, keepAll), { ...view, all: false })).toEqual([
      'skill  source     state             description',
      'pdf    workspace  available         About pdf.',
      'off    workspace  disabled          About off.',
      'odd    workspace  available: pip:x  About odd.',
    ]);
  });

  it('adds the name where it says more than the slug', () => {
    const rows = [row('custom/x', { name: 'x' }), row('y', { name: 'Why' })];
    const [, first, second] = skillListLines(splitRows(rows, keepAll), { ...view, all: false });
    expect(first).toMatch(/^custom\/x +workspace/);
    expect(second).toMatch(/^y \(Why\) +workspace/);
  });

  it('says of a broken skill why it is not offered, and counts the hidden ones', () => {
    const notes = skillListNotes(splitRows([winner, shadowed, broken], keepAll), false);
    expect(notes).toEqual([
      'torn is not offered: Not YAML. (skills/torn/SKILL.md:4)',
      '1 hidden skill not shown; --all shows them with the reason',
    ]);
  });

  it('shows hidden ones with their reason when asked for all', () => {
    const lines = skillListLines(splitRows([winner, shadowed, broken], keepAll), { ...view, all: true });
    expect(lines.slice(-3)).toEqual([
      'not offered',
      '  pdf [bundled]: hidden by the one in "workspace", skills/pdf/SKILL.md',
      '  torn [workspace]: Not YAML. (skills/torn/SKILL.md:4)',
    ]);
  });

  it('hides builtins only where they are part of the furniture', () => {
    expect(splitRows([builtin], keepAll).shown).toHaveLength(1);
    const { shown, notShown } = splitRows([builtin], { hideBuiltins: true });
    expect(shown).toHaveLength(0);
    expect(notShown[0]!.because).toBe('a builtin skill');
  });

  it('says that there is nothing and names skills with remarks', () => {
    expect(skillListNotes(splitRows([], keepAll), false)).toEqual(['no skills']);
    const remarkable = row('pdf', { findings: [finding('name_mismatch'), finding('body_long')] });
    expect(skillListNotes(splitRows([remarkable], keepAll), false)[0]).toMatch(/^1 warning on 1 skill: pdf;/);
  });
});
