import type { Storage } from './storage.js';

/** How far the clock of this host is ahead of that of the database; below 0: behind. `uncertaintyMs`: by how much that may be wrong. */
export interface ClockSkew {
  readonly ms: number;
  readonly uncertaintyMs: number;
}

/** The clock that all hosts of a database have in common. Until it was asked, and where the database has none of its own, the host's. */
export class DatabaseClock {
  readonly #storage: Pick<Storage, 'readClock'>;
  #skewMs = 0;

  constructor(storage: Pick<Storage, 'readClock'>) {
    this.#storage = storage;
  }

  /** Whether the database has a clock of its own. */
  get isOther(): boolean {
    return this.#storage.readClock !== undefined;
  }

  now(): number {
    return Date.now() - this.#skewMs;
  }

  /** Asks the database. The answer is as old as half the time it took. */
  async measure(): Promise<ClockSkew> {
    const started = performance.now();
    const time = (await this.#storage.readClock?.()) ?? Date.now();
    const uncertaintyMs = (performance.now() - started) / 2;
    this.#skewMs = Date.now() - (time + uncertaintyMs);
    return { ms: this.#skewMs, uncertaintyMs };
  }
}
