/** How many committed events have no seal yet, and how long the oldest of them has none. */
const sampleMs = 10;

export class Unsealed {
  /** When each event was committed. @type {number[]} */
  #committed = [];
  #sealed = 0;
  #reports = 0;
  #mostEvents = 0;
  #longestMs = 0;

  appended() {
    this.#committed.push(performance.now());
  }

  /** A checkpoint seals events, among them the report of the previous checkpoint. @param {number} events */
  sealed(events) {
    this.#sample();
    this.#sealed += events;
    this.#reports++;
  }

  /** Returns a function that ends the measurement and returns its result. */
  watch() {
    [this.#mostEvents, this.#longestMs] = [0, 0];
    const timer = setInterval(() => this.#sample(), sampleMs);
    return () => {
      clearInterval(timer);
      return { unsealed: this.#mostEvents, ageMs: this.#longestMs };
    };
  }

  #sample() {
    const sealed = Math.max(0, this.#sealed - this.#reports);
    this.#mostEvents = Math.max(this.#mostEvents, this.#committed.length - sealed);
    const oldest = this.#committed[sealed];
    if (oldest !== undefined) this.#longestMs = Math.max(this.#longestMs, performance.now() - oldest);
  }
}
