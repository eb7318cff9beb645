/** The faults of connections at the moment: windows of time in which calls fail, lose their answers, or are slow. */
const noFaults = { before: 0, after: 0, slow: 0 };

export class Faults {
  #scheduler;
  #random;
  #windows = [];

  constructor(scheduler, random) {
    this.#scheduler = scheduler;
    this.#random = random;
  }

  /** `target`: `database` or `broker`; `host`: the host whose calls fail, null: all. The others are probabilities. */
  add({ target, host, ms, before, after, slow }) {
    this.#windows.push({ target, host, until: this.#scheduler.now + ms, before, after, slow });
  }

  clear() {
    this.#windows = [];
  }

  /** What happens to a call: it is delayed twice, and may be lost before it arrives or its answer after it was processed. */
  fateOf(target, host) {
    const { before, after, slow } = this.#current(target, host);
    const random = this.#random;
    const delay = () => (random.chance(slow) ? 50 + random.below(3_000) : this.#usualDelay());
    return {
      requestMs: delay(),
      answerMs: delay(),
      isLostBefore: random.chance(before),
      isLostAfter: random.chance(after),
    };
  }

  #usualDelay() {
    const random = this.#random;
    return random.chance(0.03) ? 2 + random.below(40) : 0.05 + random.below(1_000) / 1_000;
  }

  #current(target, host) {
    if (this.#windows.length === 0) return noFaults;
    this.#windows = this.#windows.filter(({ until }) => until > this.#scheduler.now);
    const worst = { ...noFaults };
    for (const one of this.#windows) {
      if (one.target !== target || (one.host !== null && one.host !== host)) continue;
      for (const name of ['before', 'after', 'slow']) worst[name] = Math.max(worst[name], one[name]);
    }
    return worst;
  }
}
