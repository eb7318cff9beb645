import { ServiceError } from '../../errors/index.js';

/** Tells the time, and waits. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Rejects with the reason of the signal when that comes first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Bounds how many events are taken in a second, by waiting behind each batch. Time that was not used is not made up for: what was slow for
 * a while does not go faster than that afterwards.
 */
export class Pace {
  /** How many events may be taken at once: a second's worth at most, so that nobody waits for longer than that. */
  readonly mostAtOnce: number;
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** From when on more events may be taken. */
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

  /** So many events were taken: resolves when there may be more. */
  async took(events: number, signal?: AbortSignal): Promise<void> {
    if (this.#perSecond === Infinity) return;
    this.#free += (events * 1_000) / this.#perSecond;
    const now = this.#clock.now();
    if (this.#free > now) await this.#clock.wait(this.#free - now, signal);
    else this.#free = now;
  }
}

const systemClock: Clock = {
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
