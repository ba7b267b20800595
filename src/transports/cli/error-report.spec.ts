import { describe, expect, it } from '@jest/globals';
import { SkillwrightError } from '../../kernel/errors.js';
import { finding } from '../../kernel/finding.js';
import { errorDocument, errorLines } from './error-report.js';
import { painter } from './paint.js';

const plain = painter(false);

describe('an error at the command line', () => {
  it('is its detail and one line an issue', () => {
    const issues = [finding('request_invalid', { field: 'format', message: 'not a format' })];
    const lines = errorLines(
      new SkillwrightError('bad_request', { detail: 'format: no\nsuch', issues }),
      plain,
    );
    expect(lines).toEqual(['skillwright: format: no such', '  - error request_invalid not a format']);
  });

  it('names every rejected skill with its reason', () => {
    const rejected = [{ ref: 'gone', code: 'skill_not_found', because: { text: 'no skill has this slug' } }];
    const error = new SkillwrightError('skills_rejected', { rejected });
    expect(errorLines(error, plain)[1]).toBe('  gone skill_not_found: no skill has this slug');
    expect(errorDocument(error)).toMatchObject({ error: { code: 'skills_rejected', rejected } });
  });

  it('falls back to the sentence of its code', () => {
    const error = new SkillwrightError('not_ready', { rejected: 'nonsense' });
    expect(errorLines(error, plain)).toEqual(['skillwright: The first scan of the skills is not done yet.']);
  });
});
