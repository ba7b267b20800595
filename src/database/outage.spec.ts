import { describe, expect, it } from '@jest/globals';
import { SkillwrightError } from '../kernel/errors.js';
import { databaseErrorCode, outageOf, translateDatabaseError } from './outage.js';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('an outage', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300', '28P01', '25006'])(
    'is what %s means',
    (code) => {
      expect(translateDatabaseError(withCode(code))).toMatchObject({
        code: 'db_unavailable',
        facts: { retryAfter: 2 },
      });
    },
  );

  it('is seen through the wrapper of the mapper', () => {
    const wrapped = Object.assign(new Error('query failed'), { driverError: withCode('57P02') });
    expect(outageOf(wrapped)).toBe('the server crashed');
    expect(databaseErrorCode(wrapped)).toBe('57P02');
  });

  it('is what a client library says without a code', () => {
    expect(outageOf(new Error('Connection terminated unexpectedly'))).toBe('the connection was lost');
    expect(outageOf(new Error('timeout exceeded when trying to connect'))).toBe('the connection was lost');
  });

  it('names no host and no user', () => {
    const error = withCode('28P01', 'password authentication failed for user "ann" at 10.0.0.7');
    expect((translateDatabaseError(error) as SkillwrightError).message).toBe(
      'the database is not available: the server refuses the login',
    );
  });

  it('is not a wrong statement', () => {
    const error = withCode('42601', 'syntax error');
    expect(translateDatabaseError(error)).toBe(error);
    expect(translateDatabaseError('odd')).toBe('odd');
  });
});

describe('a full disk', () => {
  it.each([
    withCode('53100'),
    withCode('ENOSPC'),
    new Error('could not extend file: No space left on device'),
  ])('is storage_full: %s', (error) => {
    expect(translateDatabaseError(error)).toMatchObject({ code: 'storage_full' });
  });
});

describe('an error of ours', () => {
  it('passes unchanged', () => {
    const error = new SkillwrightError('preset_exists');
    expect(translateDatabaseError(error)).toBe(error);
  });
});
