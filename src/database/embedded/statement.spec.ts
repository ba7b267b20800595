import { describe, expect, it } from '@jest/globals';
import { classifyStatement, failingStatement } from './statement.js';

describe('a statement', () => {
  it.each([
    ['LISTEN changes', { kind: 'listen', channel: 'changes' }],
    ['listen Changes;', { kind: 'listen', channel: 'changes' }],
    ['LISTEN "Changes ""x"""', { kind: 'listen', channel: 'Changes "x"' }],
    [' UNLISTEN changes ', { kind: 'unlisten', channel: 'changes' }],
    ['UNLISTEN *', { kind: 'unlisten-all' }],
  ])('%s is remembered for the session', (sql, expected) => {
    expect(classifyStatement(sql)).toEqual(expected);
  });

  it.each(['COPY t FROM STDIN', 'select 1; copy "t" (a, b)\n from stdin with csv', 'Copy t From Stdin;'])(
    '%s is refused',
    (sql) => {
      expect(classifyStatement(sql)).toMatchObject({ kind: 'refused' });
    },
  );

  it.each([
    null,
    'COPY t TO STDOUT',
    "INSERT INTO t VALUES ('how to copy from stdin')",
    'LISTEN a; LISTEN b',
  ])('%j is left alone', (sql) => {
    expect(classifyStatement(sql)).toEqual({ kind: 'plain' });
  });

  it('that fails says why in the database itself', () => {
    expect(failingStatement("it's off")).toContain("RAISE EXCEPTION 'it''s off'");
  });
});
