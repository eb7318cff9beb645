import type { StorageClock } from '../capabilities/clock.js';

/** How far the clock of this host is ahead of that of the database; below 0: behind. `uncertaintyMs`: the largest error. */
export interface ClockSkew {
  readonly ms: number;
  readonly uncertaintyMs: number;
}

/** How long a measurement is used before the next one. */
const longestAgeMs = 60_000;

/** The time of the database, and when it was read by `performance.now()`, which changes of the host's clock do not affect. */
interface ReadTime {
  readonly time: number;
  readonly at: number;
}

/** The clock that all hosts of a database share. Before the first measurement, and for a database without a clock, it is the host's. */
export class DatabaseClock {
  readonly #clock: StorageClock | undefined;
  #read: ReadTime | null = null;
  #askedAt = performance.now();

  constructor({ clock }: { readonly clock?: StorageClock }) {
    this.#clock = clock;
  }

  /** Whether the database has its own clock. */
  get isOther(): boolean {
    return this.#clock !== undefined;
  }

  /** The age of the last measurement; null: there is none yet. */
  get ageMs(): number | null {
    return this.#read === null ? null : performance.now() - this.#read.at;
  }

  /** The time according to the last measurement. If that is too old, the next one starts in the background. */
  now(): number {
    if (this.isOther && performance.now() - this.#askedAt > longestAgeMs) {
      // After a failure the next attempt is a minute later. `svc_clock` reports the age of the last measurement.
      this.measure().catch(() => {});
    }
    return this.#read === null ? Date.now() : this.#read.time + performance.now() - this.#read.at;
  }

  /** Reads the time of the database. The result is assumed to be from the middle of the round trip. */
  async measure(): Promise<ClockSkew> {
    const started = performance.now();
    this.#askedAt = started;
    if (this.#clock === undefined) return { ms: 0, uncertaintyMs: 0 };
    const time = await this.#clock.read();
    const at = performance.now();
    const uncertaintyMs = (at - started) / 2;
    this.#read = { time: time + uncertaintyMs, at };
    return { ms: Date.now() - this.#read.time, uncertaintyMs };
  }
}
