import type { TransportMessage } from './transport.js';

/** The largest allowed difference between the clocks of hosts. */
const longestDifferenceMs = 5 * 60 * 1_000;
/** The largest share of a short retention time that is allowed for clock differences: a tenth. */
const largestShare = 10;

/**
 * Rejects old commands. The ids of received commands are retained for a limited time: after that, a captured and repeated command would run
 * again.
 */
export class CommandAge {
  readonly #oldestMs: number;
  readonly #differenceMs: number;

  /** `receivedMs`: for how long the ids of received messages are retained. */
  constructor(receivedMs: number) {
    this.#differenceMs = Math.min(longestDifferenceMs, receivedMs / largestShare);
    // The sender's clock may be ahead: a command must expire before its id is deleted.
    this.#oldestMs = receivedMs - this.#differenceMs;
  }

  /** Why a command is rejected, as part of a sentence; null if it is accepted. */
  flawOf({ timestamp }: Pick<TransportMessage, 'timestamp'>, receivedAt: number): string | null {
    const ageMs = receivedAt - timestamp;
    if (ageMs > this.#oldestMs)
      return 'it is older than the retention time of received messages, and may have already run';
    if (ageMs < -this.#differenceMs) return "its time is in the future. Check the sender's clock";
    return null;
  }
}
