import { ServiceError } from '../../errors/index.js';

/** Measures time, and waits. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Rejects with the reason of the signal when that comes first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Limits the events replayed per second by waiting after each batch. Unused time does not accumulate: after a slow phase the limit is the same.
 */
export class Pace {
  /** The most events of a batch: at most one second's worth, so that no wait is longer than a second. */
  readonly mostAtOnce: number;
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** When the next batch may start. */
  #free: number;

  constructor(eventsPerSecond: number | undefined, clock: Clock = systemClock) {
    if (eventsPerSecond !== undefined && (!Number.isSafeInteger(eventsPerSecond) || eventsPerSecond < 1)) {
      throw new ServiceError(
        'SVC_INVALID_VALUE',
        'eventsPerSecond must be a whole number of at least 1. Omit it for no limit.',
      );
    }
    this.#perSecond = eventsPerSecond ?? Infinity;
    this.mostAtOnce = this.#perSecond;
    this.#clock = clock;
    this.#free = clock.now();
  }

  /** Called after a batch with its number of events. Resolves when the next batch may start. */
  async took(events: number, signal?: AbortSignal): Promise<void> {
    if (this.#perSecond === Infinity) return;
    this.#free += (events * 1_000) / this.#perSecond;
    const now = this.#clock.now();
    if (this.#free > now) await this.#clock.wait(this.#free - now, signal);
    else this.#free = now;
  }
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const end = (): void => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      signal?.addEventListener('abort', end, { once: true });
      return undefined;
    }),
};
