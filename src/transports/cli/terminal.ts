/** Where a command writes. Given by the program that starts it, so that a test can give another. */
export interface Terminal {
  /** Columns of the screen; null when stdout is a pipe or file, and then nothing is cut. */
  readonly width: number | null;
  /** Whether stdout shows colors. */
  readonly color: boolean;
  out(text: string): void;
  err(text: string): void;
}
