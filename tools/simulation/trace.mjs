/** Everything that happens in a simulation. */
export class Trace {
  lines = [];
  #scheduler;

  constructor(scheduler) {
    this.#scheduler = scheduler;
  }

  add(where, what) {
    this.lines.push(`${this.#scheduler.now.toFixed(2)} ${where} ${what}`);
  }
}
