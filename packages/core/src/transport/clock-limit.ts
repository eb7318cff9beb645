import type { Uuid } from '../json/index.js';
import { timeOfId } from '../messages/index.js';

/** How far the clocks of other hosts may be ahead by default. */
export const defaultAheadMs = 5 * 60 * 1_000;

/** Rejects ids from the future: all messages that follow from such a message would have even greater ids. */
export class ClockLimit {
  readonly #mostAheadMs: number;
  readonly #now: () => number;

  /** `now` returns the time of the database. */
  constructor(mostAheadMs: number, now: () => number) {
    this.#mostAheadMs = mostAheadMs;
    this.#now = now;
  }

  /** Why an id is rejected, as part of a sentence; null if it is accepted. */
  flawOf(id: Uuid): string | null {
    const time = timeOfId(id);
    if (time === null) return null;
    const aheadMs = time - this.#now();
    if (aheadMs <= this.#mostAheadMs) return null;
    return `its id is ${Math.round(aheadMs / 1_000)} s in the future. Check the sender's clock`;
  }
}
