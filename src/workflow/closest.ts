/**
 * The candidate that differs least from what was written, when it differs little enough to be meant:
 * at most a third of its length, and never more than three edits.
 *
 * @example closest('reserch', ['research', 'report']) // 'research'
 */
export function closest(text: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestEdits = Math.min(3, Math.ceil(text.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= bestEdits) continue;
    const edits = editDistance(text.toLowerCase(), candidate.toLowerCase());
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits];
  }
  return best;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
