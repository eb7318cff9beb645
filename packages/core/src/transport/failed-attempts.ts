import type { Uuid } from '../json/index.js';

/** No transport has more messages in its hands. What it has lost, and others have taken, is forgotten at this. */
const mostFailing = 65_536;

interface Failing {
  attempts: number;
  readonly firstFailedAt: number;
}

/** How often messages have failed, and since when. */
export class FailedAttempts {
  readonly #failing = new Map<Uuid, Failing>();

  /** It has failed once more; says how often that is. */
  count(id: Uuid): number {
    const known = this.of(id);
    known.attempts++;
    this.#failing.set(id, known);
    if (this.#failing.size > mostFailing) this.#failing.delete(this.#failing.keys().next().value!);
    return known.attempts;
  }

  of(id: Uuid): Failing {
    return this.#failing.get(id) ?? { attempts: 0, firstFailedAt: Date.now() };
  }

  /** They are done with. */
  forget(ids: Iterable<Uuid>): void {
    if (this.#failing.size > 0) for (const id of ids) this.#failing.delete(id);
  }
}
