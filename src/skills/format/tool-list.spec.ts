import { describe, expect, it } from '@jest/globals';
import { splitToolList } from './tool-list.js';

describe('splitToolList', () => {
  it.each([
    ['', []],
    [' , ,, ', []],
    ['Read', ['Read']],
    ['Read Grep', ['Read', 'Grep']],
    ['Read,Grep , Glob,', ['Read', 'Grep', 'Glob']],
    ['Bash(ls -l *) Read', ['Bash(ls -l *)', 'Read']],
    ['Bash(make, make test),Read', ['Bash(make, make test)', 'Read']],
    ['Bash(echo $(date) now) Read', ['Bash(echo $(date) now)', 'Read']],
    ['"Bash(a b)", \'Read\'', ['Bash(a b)', 'Read']],
    ['Bash(open Read', ['Bash(open Read']],
    ['close) Read', ['close)', 'Read']],
    ['"open Read', ['"open', 'Read']],
    ['" " Read', ['Read']],
    ['Read\n  Grep\tGlob', ['Read', 'Grep', 'Glob']],
  ])('splits %j', (text, tools) => {
    expect(splitToolList(text)).toEqual(tools);
  });
});
