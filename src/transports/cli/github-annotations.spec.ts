import { describe, expect, it } from '@jest/globals';
import { finding } from '../../kernel/finding.js';
import { githubAnnotation } from './github-annotations.js';

describe('a GitHub annotation', () => {
  it('names file, line and code', () => {
    expect(githubAnnotation(finding('field_missing', { path: 'a/SKILL.md', line: 2, column: 1 }))).toBe(
      '::error file=a/SKILL.md,line=2,col=1,title=field_missing::A required field is missing.',
    );
  });

  it('turns a remark into a notice', () => {
    expect(githubAnnotation(finding('body_long'))).toMatch(/^::notice title=body_long::/);
  });

  it('lets no file name start a second command', () => {
    const hostile = githubAnnotation(
      finding('file_unreadable', { path: 'a,b:c\n::error::x', found: '"50%\r\n::set-env"' }),
    );
    expect(hostile).toBe(
      '::error file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax,title=file_unreadable::The file cannot be read. "50%25%0D%0A::set-env"',
    );
    expect(hostile).not.toMatch(/[\r\n]/);
  });
});
