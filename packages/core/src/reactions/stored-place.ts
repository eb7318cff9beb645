import type { Passed, PassedEvents } from './passed-events.js';

/** How long the stored place may be behind the processed events. */
const advanceMs = 250;

/** Stores the place that a reaction has passed: shortly after it has passed events, one time after the other. */
export class StoredPlace {
  readonly #passed: PassedEvents;
  readonly #store: (passed: Passed) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | null = null;
  #isStopped = false;

  /** `store` must not reject. */
  constructor(passed: PassedEvents, store: (passed: Passed) => Promise<void>) {
    this.#passed = passed;
    this.#store = store;
  }

  /** Whether there is a place to store, or it is being stored. */
  get isBehind(): boolean {
    return !this.#isStopped && (this.#storing !== null || this.#passed.hasPassed);
  }

  storeSoon(): void {
    if (this.#isStopped || !this.#passed.hasPassed) return;
    this.#timer ??= setTimeout(() => void this.storeNow(), advanceMs).unref();
  }

  async storeNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#storing !== null) return await this.#storing;
    const passed = this.#passed.take();
    if (passed === null) return;
    this.#storing = this.#store(passed);
    await this.#storing;
    this.#storing = null;
    this.storeSoon();
  }

  /** Resolves when the place is not being stored. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
