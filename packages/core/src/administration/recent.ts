import { detached } from '../background/index.js';

interface Answer<T> {
  readonly value: Promise<T>;
  until: number;
}

/** Remembers answers for a moment, so that many viewers cost as much as one. Concurrent readers share one read. Errors are not remembered. */
export class Recent<T> {
  readonly #forMs: number;
  readonly #answers = new WeakMap<object, Map<string, Answer<T>>>();

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  /** The answer about a thing under a key. */
  get(about: object, key: string, read: () => Promise<T>): Promise<T> {
    let answers = this.#answers.get(about);
    if (answers === undefined) this.#answers.set(about, (answers = new Map<string, Answer<T>>()));
    const known = answers.get(key);
    if (known !== undefined && performance.now() < known.until) return known.value;
    for (const [old, { until }] of answers) if (performance.now() >= until) answers.delete(old);
    // Not part of the request of the first reader.
    const answer: Answer<T> = { value: detached(read), until: Number.POSITIVE_INFINITY };
    answers.set(key, answer);
    const settle = (forMs: number): void => void (answer.until = performance.now() + forMs);
    answer.value.then(
      () => settle(this.#forMs),
      () => settle(0),
    );
    return answer.value;
  }
}
