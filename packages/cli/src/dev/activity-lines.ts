import { printableLine } from '../printable.js';
import type { Activity } from './messages.js';

/** More lines in a second are counted instead of printed. */
const mostPerSecond = 50;

/** Prints requests and events, a line each. */
export class ActivityLines {
  readonly #print: (line: string) => void;
  #second = 0;
  #printed = 0;
  #omitted = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(entries: readonly Activity[], omitted: number): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      if (this.#omitted > 0) this.#print(`… ${this.#omitted} more requests and events`);
      this.#second = second;
      this.#printed = 0;
      this.#omitted = 0;
    }
    this.#omitted += omitted;
    for (const entry of entries) {
      if (this.#printed < mostPerSecond) {
        this.#printed++;
        this.#print(lineOf(entry));
      } else {
        this.#omitted++;
      }
    }
  }
}

function lineOf(entry: Activity): string {
  if (entry.kind === 'event') return printableLine(`  + ${entry.type}  ${entry.streamId}`);
  return printableLine(`${entry.method} ${entry.path}  ${entry.status}  ${entry.ms} ms`);
}
