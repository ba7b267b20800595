/** Lets one through at a time, in the order of arrival; whoever waits too long is turned away. */
export class Turnstile {
  readonly #queue: Waiter[] = [];
  #taken = false;

  constructor(private readonly waitMs: number) {}

  /** Resolves to false when the wait was too long; true means that `leave` must follow. */
  enter(): Promise<boolean> {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        resolve,
        timer: setTimeout(() => {
          this.#queue.splice(this.#queue.indexOf(waiter), 1);
          resolve(false);
        }, this.waitMs),
      };
      this.#queue.push(waiter);
    });
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#taken = false;
      return;
    }
    clearTimeout(next.timer);
    next.resolve(true);
  }
}

interface Waiter {
  readonly resolve: (entered: boolean) => void;
  readonly timer: NodeJS.Timeout;
}
