import { type Paint } from './paint.js';
import { renderTable } from './table.js';
import { inline } from './terminal-text.js';

interface Named {
  readonly slug: string;
}

export interface ShownTriggerCheck {
  readonly among: number;
  readonly prompts: readonly {
    readonly prompt: string;
    readonly rank: number | null;
    readonly ahead: readonly Named[];
  }[];
  readonly near_duplicates: readonly Named[];
}

/** One line a prompt, then what can hardly be told from the skill. */
export function triggerLines(
  { among, prompts, near_duplicates: twins }: ShownTriggerCheck,
  width: number | null,
  paint: Paint,
): string[] {
  const rows = prompts.map(({ prompt, rank, ahead }) => [
    rank === null ? 'not found' : `${rank} of ${among}`,
    ahead.map(({ slug }) => slug).join(', ') || '-',
    prompt,
  ]);
  const warnings = twins.map(({ slug }) => {
    const text = `${inline(slug)} says nearly the same; a model can hardly choose between them`;
    return `${paint('yellow', 'warning')}: ${text}`;
  });
  return [...renderTable({ head: ['rank', 'ahead', 'prompt'], rows, width, paint }), ...warnings];
}
