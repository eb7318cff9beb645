/**
 * Records when this process could not run, for example because other programs used the processors: a response may have arrived unseen, so
 * that time does not count against the service.
 */
export class Stalls {
  #timer;
  #last = performance.now();
  #spans = [];

  constructor(everyMs = 20, leastMs = 60) {
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (now - this.#last > leastMs) this.#spans.push([this.#last + everyMs, now]);
      if (this.#spans.length > 1000) this.#spans.shift();
      this.#last = now;
    }, everyMs);
  }

  /** For how many of the last `ms` milliseconds this process was stalled. */
  within(ms) {
    const now = performance.now();
    const since = now - ms;
    const running = now - this.#last > 60 ? [[this.#last + 20, now]] : [];
    return [...this.#spans, ...running].reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, since)), 0);
  }

  stop() {
    clearInterval(this.#timer);
  }
}
