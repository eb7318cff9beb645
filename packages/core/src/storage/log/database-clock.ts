import type { StorageClock } from '../capabilities/clock.js';

/** How far the clock of this host is ahead of that of the database; below 0: behind. `uncertaintyMs`: by how much that may be wrong. */
export interface ClockSkew {
  readonly ms: number;
  readonly uncertaintyMs: number;
}

/** How old an answer of the database may be before it is asked again. */
const longestAgeMs = 60_000;

/** What the database has said, and when by `performance.now()`, which steps of the host's clock do not change. */
interface ReadTime {
  readonly time: number;
  readonly at: number;
}

/** The clock that all hosts of a database have in common. Until it was asked, and where the database has none of its own, the host's. */
export class DatabaseClock {
  readonly #clock: StorageClock | undefined;
  #read: ReadTime | null = null;
  #askedAt = performance.now();

  constructor({ clock }: { readonly clock?: StorageClock }) {
    this.#clock = clock;
  }

  /** Whether the database has a clock of its own. */
  get isOther(): boolean {
    return this.#clock !== undefined;
  }

  /** How long ago the database said what time it is; null: it has not yet. */
  get ageMs(): number | null {
    return this.#read === null ? null : performance.now() - this.#read.at;
  }

  /** From the last answer of the database. When that is too old, the database is asked again in the background. */
  now(): number {
    if (this.isOther && performance.now() - this.#askedAt > longestAgeMs) {
      // One that does not answer is asked again in a minute. `svc_clock` reports how old the last answer is.
      this.measure().catch(() => {});
    }
    return this.#read === null ? Date.now() : this.#read.time + performance.now() - this.#read.at;
  }

  /** Asks the database. The answer is as old as half the time it took. */
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
