import { type Diagnosis } from '../../operations/diagnosis.js';
import { type Paint, paintWord } from './paint.js';
import { inline } from './terminal-text.js';

/** One line a check: `ok`, `warn` or `fail`, what was looked at, what was found, what to do. */
export function doctorLines({ checks }: Diagnosis, paint: Paint): string[] {
  const widest = Math.max(...checks.map(({ topic }) => topic.length));
  return checks.map(({ state, topic, text, hint }) => {
    const advice = hint === undefined ? '' : ` (${inline(hint)})`;
    return `${paintWord(paint, state, state.padEnd(4))} ${topic.padEnd(widest)}  ${inline(text)}${advice}`;
  });
}
