import { describe, expect, it } from '@jest/globals';
import { SkillwrightError } from '../../kernel/errors.js';
import { finding } from '../../kernel/finding.js';
import { problemOf } from './problem.js';

describe('problemOf', () => {
  it('carries code, status, request id, issues and facts', () => {
    const error = new SkillwrightError('ref_ambiguous', {
      detail: 'two skills are called x',
      issues: [finding('name_shared')],
      candidates: ['a', 'b'],
    });
    expect(problemOf(error, 'r1')).toMatchObject({
      type: 'urn:skillwright:error:ref_ambiguous',
      status: 409,
      code: 'ref_ambiguous',
      detail: 'two skills are called x',
      error: 'two skills are called x',
      request_id: 'r1',
      issues: [{ code: 'name_shared' }],
      candidates: ['a', 'b'],
    });
  });

  it('says nothing of an error that is not ours', () => {
    const problem = problemOf(new Error('password=hunter2 at /srv/secret.ts:3'), 'r2');
    expect(problem).toMatchObject({ status: 500, code: 'internal', request_id: 'r2' });
    expect(JSON.stringify(problem)).not.toMatch(/hunter2|secret/);
  });

  it('tells when another try makes sense', () => {
    expect(problemOf(new SkillwrightError('db_unavailable', { retryAfter: 2 }), 'r3')).toMatchObject({
      retry_after: 2,
    });
  });

  it('knows an error of another copy of the package', () => {
    const foreign = { [Symbol.for('skillwright.error')]: true, code: 'not_found', facts: {}, message: 'x' };
    expect(problemOf(foreign, 'r4')).toMatchObject({ status: 404 });
  });
});
