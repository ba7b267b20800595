import { describe, expect, it } from '@jest/globals';
import { verificationLines } from './verification-view.js';

const checked = { skills: 2, versions: 1, blobs: 3, workflow_versions: 0, audit_rows: 4 };

describe('a verification in lines', () => {
  it('names invariant, skill, layer, version and file of each problem, and counts what is not shown', () => {
    const problems = [
      { invariant: 'I1', subject: 'a\u001b[2J', layer: 'workspace', version: 3, path: 'x.md', text: 'gone' },
      { invariant: 'I9', text: 'migration X was not run' },
    ] as const;
    expect(verificationLines({ ok: false, all: false, checked, problems, found: 5 })).toEqual([
      'I1 a\\u{1b}[2J (workspace) version 3 x.md: gone',
      'I9 migration X was not run',
      '… and 3 more',
      '5 problems: 2 skills, 1 version, 3 files, 0 workflow versions, 4 audit rows (current versions)',
    ]);
  });

  it('says what was looked at when nothing is wrong', () => {
    expect(verificationLines({ ok: true, all: true, checked, problems: [], found: 0 })).toEqual([
      'whole: 2 skills, 1 version, 3 files, 0 workflow versions, 4 audit rows (every version)',
    ]);
  });
});
