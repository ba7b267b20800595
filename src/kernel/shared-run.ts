/** Runs work one at a time: calls during a run share the next one, which begins after them. */
export class SharedRun<T> {
  private running: Promise<T> | null = null;
  private waiting: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  /** Resolves with a run that began after this call. */
  next(): Promise<T> {
    if (this.waiting !== null) return this.waiting;
    if (this.running === null) return this.begin();
    this.waiting = this.running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.waiting;
  }

  isRunning(): boolean {
    return this.running !== null;
  }

  /** Resolves when nothing runs or waits; never rejects. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.running, this.waiting]);
  }

  private begin(): Promise<T> {
    this.waiting = null;
    const running = this.work().finally(() => {
      this.running = null;
    });
    this.running = running;
    return running;
  }
}
