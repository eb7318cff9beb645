/**
 * Notes when this process itself could not run, for example because other programs had the processors: for that time an answer may have
 * been there and not been seen, and it is not counted as the service's.
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

  /** How many of the last `ms` milliseconds this process was stalled. */
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
