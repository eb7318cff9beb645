/** No transport has more messages in its hands. What it has lost, and others have taken, is forgotten at this. */
const mostFailing = 65_536;

interface Failing {
  attempts: number;
  readonly firstFailedAt: number;
}

/** How often messages have failed, by their ids, and since when. */
export class FailedAttempts {
  readonly #failing = new Map<string, Failing>();

  /** It has failed once more, or several times; says how often that is. */
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

  /** They are done with. */
  forget(ids: Iterable<string>): void {
    if (this.#failing.size > 0) for (const id of ids) this.#failing.delete(id);
  }
}
