import { describe, expect, it } from '@jest/globals';
import { headingsOf } from './headings.js';

describe('headingsOf', () => {
  it('gives the headings without their marks, and none from code', () => {
    const body =
      '# Rigging\r\n\ntext # no\n\n   ## Sails ##\n````sh\n# no\n```\n# no\n````\n#no\n####### no\n### Ends';
    expect(headingsOf(body)).toEqual(['Rigging', 'Sails', 'Ends']);
  });

  it('takes an unclosed fence for code to the end', () => {
    expect(headingsOf('# One\n~~~\n# Two\n')).toEqual(['One']);
  });

  it('stops after the first 200', () => {
    expect(headingsOf('# x\n'.repeat(5000))).toHaveLength(200);
  });
});
