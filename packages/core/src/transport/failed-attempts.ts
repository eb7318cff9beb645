/** No transport processes more messages at once. Beyond it, the counts of messages that other hosts processed are evicted. */
const mostFailing = 65_536;

interface Failing {
  attempts: number;
  readonly firstFailedAt: number;
}

/** Counts failed attempts by message id, with the time of the first failure. */
export class FailedAttempts {
  readonly #failing = new Map<string, Failing>();

  /** Adds failures of a message, and returns their total. */
  count(id: string, times = 1): number {
    const known = this.of(id);
    known.attempts += times;
    this.#failing.set(id, known);
    if (this.#failing.size > mostFailing) this.#failing.delete(this.#failing.keys().next().value!);
    return known.attempts;
  }

  of(id: string): Failing {
    return this.#failing.get(id) ?? { attempts: 0, firstFailedAt: Date.now() };
  }

  /** Deletes the counts of messages that are processed. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#failing.delete(id);
  }
}
