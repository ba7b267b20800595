import { SkillwrightError } from '../kernel/errors.js';

const RETRY_AFTER_S = 2;

/** How many imports run at once: each holds an archive and what it unpacks to in memory. */
export class ImportSlots {
  #taken = 0;

  constructor(private readonly slots: number) {}

  /**
   * @returns a function that gives the slot back; calling it again does nothing.
   * @throws SkillwrightError `busy`
   */
  enter(): () => void {
    if (this.#taken >= this.slots) {
      const detail = `${this.slots} imports run already; try again in a moment`;
      throw new SkillwrightError('busy', { detail, retryAfter: RETRY_AFTER_S });
    }
    this.#taken += 1;
    let left = false;
    return () => {
      if (!left) this.#taken -= 1;
      left = true;
    };
  }
}
