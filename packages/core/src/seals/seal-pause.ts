import { eventsPerSeal } from './digest-next.js';

/** How much of the time and of the events that may be unsealed passes before they are sealed. The rest is for what is appended until then. */
const shareOfTime = 0.5;
const shareOfEvents = 0.1;

/**
 * How long the sealer waits, so that neither more than `eventsPerSeal` events nor events of more than `everyMs` are unsealed, at the rate at which events
 * were appended last. Few large seals cost less than many small ones.
 */
export class SealPause {
  readonly #everyMs: number;
  readonly #now: () => number;
  #last: number;

  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
    this.#last = now();
  }

  /** The pause after a seal of some events, in milliseconds. */
  after(events: number): number {
    const now = this.#now();
    const elapsed = now - this.#last;
    this.#last = now;
    if (events === 0) return shareOfTime * this.#everyMs;
    return Math.min(shareOfTime * this.#everyMs, (shareOfEvents * eventsPerSeal * elapsed) / events);
  }
}
