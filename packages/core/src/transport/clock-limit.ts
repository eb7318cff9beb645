import type { Uuid } from '../json/index.js';
import { timeOfId } from '../messages/index.js';

/** How far clocks of other hosts may be ahead, where nothing else is said. */
export const defaultAheadMs = 5 * 60 * 1_000;

/** Rejects ids from the future: whatever follows from a message has a greater id, and so on without end. */
export class ClockLimit {
  readonly #mostAheadMs: number;
  readonly #now: () => number;

  /** `now`: by the clock of the database. */
  constructor(mostAheadMs: number, now: () => number) {
    this.#mostAheadMs = mostAheadMs;
    this.#now = now;
  }

  /** Why an id is not taken, as part of a sentence; null when it is. */
  flawOf(id: Uuid): string | null {
    const time = timeOfId(id);
    if (time === null) return null;
    const aheadMs = time - this.#now();
    if (aheadMs <= this.#mostAheadMs) return null;
    return `its id is ${Math.round(aheadMs / 1_000)} s in the future. Check the sender's clock`;
  }
}
