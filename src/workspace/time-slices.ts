/** Work that offers to pause at each `yield`. */
export type Sliced<T> = Generator<undefined, T, undefined>;

const SLICE_MS = 4;

/**
 * Runs synchronous work in slices of about 4 ms and lets the event loop turn in between. Descriptor calls
 * on small files cost half of what `fs.promises` costs, and this keeps them from being felt.
 */
export async function runSliced<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise((resume) => setImmediate(resume));
  }
}
