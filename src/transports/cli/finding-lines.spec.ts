import { describe, expect, it } from '@jest/globals';
import { finding } from '../../kernel/finding.js';
import { countSeverities, countsText, findingLine } from './finding-lines.js';
import { painter } from './paint.js';

const plain = painter(false);

describe('a finding as a line', () => {
  it('starts with the place and ends with what to do', () => {
    const line = findingLine(
      finding('field_type', { path: 'a/SKILL.md', line: 3, column: 7, found: '"12"', hint: 'write a list' }),
      plain,
    );
    expect(line).toBe('a/SKILL.md:3:7 error field_type The field has the wrong type. "12" (write a list)');
  });

  it('leaves out what it does not know', () => {
    expect(findingLine(finding('walk_limit'), plain)).toMatch(/^- warning walk_limit /);
    expect(findingLine(finding('link_dangling', { path: 'x' }), plain)).toMatch(/^x warning link_dangling /);
  });

  it('stays one line when a path holds a line break', () => {
    expect(findingLine(finding('file_unreadable', { path: 'a\nb\u001b[0m' }), plain)).toMatch(
      /^a b\\u\{1b\}\[0m /,
    );
  });

  it('counts by severity in words', () => {
    const findings = [finding('field_type'), finding('field_blank'), finding('name_shared')];
    expect(countsText(countSeverities(findings))).toBe('2 errors, 1 warning');
    expect(countsText(countSeverities([]))).toBe('no findings');
  });
});
