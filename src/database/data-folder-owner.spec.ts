import { describe, expect, it } from '@jest/globals';
import { readOwner, writeOwner } from './data-folder-owner.js';

describe('the owner of a data folder', () => {
  it('is one JSON line with address and process', () => {
    const owner = { url: 'http://127.0.0.1:4310', pid: 12 };
    expect(writeOwner(owner)).toBe('{"url":"http://127.0.0.1:4310","pid":12}\n');
    expect(readOwner(writeOwner(owner))).toEqual(owner);
  });

  it.each(['', 'hello', '[]', '{"url":1,"pid":2}', '{"url":"x"}'])('is not what %j says', (line) => {
    expect(readOwner(line)).toBeNull();
  });
});
