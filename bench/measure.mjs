const ROUNDS = 9;

/**
 * Times subject and yardstick in turn, so that a busy machine slows both, and takes the median of the ratios
 * of the rounds. The answer is checked before anything is timed.
 */
export async function measure(row) {
  const run = await row.prepare();
  await run.check();
  await once(run.ours);
  await once(run.yardstick);
  const rounds = [];
  for (let n = 0; n < (run.rounds ?? ROUNDS); n++) {
    await run.before?.();
    const ours = await once(run.ours);
    const yardstick = await once(run.yardstick);
    rounds.push({ ours, yardstick, ratio: ours / yardstick });
  }
  await run.after?.();
  const pick = (key) => median(rounds.map((round) => round[key]));
  return {
    name: row.name,
    goal: row.goal,
    ours: pick('ours'),
    yardstick: pick('yardstick'),
    ratio: pick('ratio'),
    rounds,
  };
}

async function once(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
