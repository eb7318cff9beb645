/** Everything that happens in a simulation: its hash shows that a seed repeats exactly. */
import { createHash } from 'node:crypto';

export class Trace {
  lines = [];
  #scheduler;
  #hash = createHash('sha256');
  #retains;

  /** `retains`: whether the lines are stored, to show them. */
  constructor(scheduler, retains) {
    this.#scheduler = scheduler;
    this.#retains = retains;
  }

  add(where, what) {
    const line = `${this.#scheduler.now.toFixed(2)} ${where} ${what}`;
    this.#hash.update(`${line}\n`);
    if (this.#retains) this.lines.push(line);
  }

  digest() {
    return this.#hash.digest('hex');
  }
}
