import { paintWord, type Paint } from './paint.js';
import { cutToWidth, displayWidth, inline } from './terminal-text.js';

const GAP = '  ';
/** No column but the last may take more of a terminal than this. */
const WIDEST = 40;
const LEAST_LAST_COLUMN = 12;

export interface TableOptions {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of the terminal; null when the output is not one, and then nothing is cut. */
  readonly width: number | null;
  readonly paint: Paint;
}

/** Aligned columns; the last one takes what is left of the terminal. Cells may hold any text. */
export function renderTable({ head, rows, width, paint }: TableOptions): string[] {
  const cells = [head, ...rows].map((row) => row.map(inline));
  const widths = head.map((_, column) => {
    const widest = Math.max(...cells.map((row) => displayWidth(row[column] ?? '')));
    return width === null ? widest : Math.min(widest, WIDEST);
  });
  if (width !== null) {
    const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
    widths[widths.length - 1] = Math.max(LEAST_LAST_COLUMN, width - before);
  }
  return cells.map((row, index) => {
    const line = row.map((cell, column) => {
      const cut = cutToWidth(cell, widths[column] ?? 0);
      const padded =
        column === row.length - 1 ? cut : cut + ' '.repeat((widths[column] ?? 0) - displayWidth(cut));
      return index === 0 ? paint('bold', padded) : paintWord(paint, cell, padded);
    });
    return line.join(GAP).trimEnd();
  });
}
