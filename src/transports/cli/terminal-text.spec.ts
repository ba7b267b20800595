import { describe, expect, it } from '@jest/globals';
import { block, cutToWidth, displayWidth, inline } from './terminal-text.js';

describe('text for a terminal', () => {
  it('shows an escape sequence in place of obeying it', () => {
    expect(inline('safe\u001b[2J\u001b]0;title\u0007 text')).toBe('safe\\u{1b}[2J\\u{1b}]0;title\\u{7} text');
  });

  it('shows marks that would reorder the line', () => {
    expect(inline('a\u202eb\u2066c')).toBe('a\\u{202e}b\\u{2066}c');
  });

  it('puts a text of several lines on one', () => {
    expect(inline('  first\r\n\tsecond\u2028third ')).toBe('first second third');
  });

  it('keeps line breaks and tabs of a block and nothing else', () => {
    expect(block('a\r\n\tb\u001b[31m\u0000')).toBe('a\n\tb\\u{1b}[31m\\u{0}');
  });

  it('keeps joined emoji and Persian joiners whole', () => {
    expect(inline('👩‍👩‍👧 می‌خواهم')).toBe('👩‍👩‍👧 می‌خواهم');
  });

  it('counts wide characters as two columns', () => {
    expect(displayWidth('表計算 ok')).toBe(9);
    expect(displayWidth('👩‍👩‍👧')).toBe(2);
  });

  it('cuts by columns and never inside a character', () => {
    expect(cutToWidth('表計算を読む', 6)).toBe('表計…');
    expect(cutToWidth('short', 5)).toBe('short');
    expect(cutToWidth('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4)).toBe('👩‍👩‍👧…');
  });
});
