import type { TransportMessage } from './transport.js';

/** Clocks of hosts may differ by this much. */
const longestDifferenceMs = 5 * 60 * 1_000;
/** Of the time for which received messages are known, where that is short. */
const largestShare = 10;

/**
 * A command is known by its id for a while after it came, and then forgotten. One that is older would run again if it came again, so it is
 * rejected: it may have been captured.
 */
export class CommandAge {
  readonly #oldestMs: number;
  readonly #differenceMs: number;

  /** `receivedMs`: for how long messages that came from elsewhere are known. */
  constructor(receivedMs: number) {
    this.#differenceMs = Math.min(longestDifferenceMs, receivedMs / largestShare);
    // Its time is by the sender's clock, which may be ahead: it has to expire before it can be forgotten.
    this.#oldestMs = receivedMs - this.#differenceMs;
  }

  /** Why a command is not run any more, as part of a sentence; null when it is. */
  flawOf({ timestamp }: Pick<TransportMessage, 'timestamp'>, receivedAt: number): string | null {
    const ageMs = receivedAt - timestamp;
    if (ageMs > this.#oldestMs) return 'it is older than received messages are known for, and may have run before';
    if (ageMs < -this.#differenceMs) return "its time is in the future. Check the sender's clock";
    return null;
  }
}
