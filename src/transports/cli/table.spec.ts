import { describe, expect, it } from '@jest/globals';
import { painter } from './paint.js';
import { renderTable } from './table.js';

const plain = painter(false);
const head = ['skill', 'description'];

describe('a table', () => {
  it('aligns columns by what they show and ends lines without blanks', () => {
    const rows = [
      ['表計算', 'reads sheets'],
      ['pdf', ''],
    ];
    expect(renderTable({ head, rows, width: null, paint: plain })).toEqual([
      'skill   description',
      '表計算  reads sheets',
      'pdf',
    ]);
  });

  it('cuts the last column to the terminal and leaves a pipe whole', () => {
    const rows = [['pdf', 'a long text about documents']];
    expect(renderTable({ head, rows, width: 24, paint: plain })[1]).toBe('pdf    a long text abou…');
    expect(renderTable({ head, rows, width: null, paint: plain })[1]).toBe(
      'pdf    a long text about documents',
    );
  });

  it('keeps one row on one line whatever its cells hold', () => {
    const [, row] = renderTable({ head, rows: [['x\ny', 'a\u001b[2J\nb']], width: null, paint: plain });
    expect(row).toBe('x y    a\\u{1b}[2J b');
  });

  it('colors words that mean a state', () => {
    const [, row] = renderTable({
      head: ['state', 'what'],
      rows: [['invalid', 'x']],
      width: null,
      paint: painter(true),
    });
    expect(row).toBe('\u001b[31minvalid\u001b[0m  x');
  });
});
