import type { Uuid } from '../../json/index.js';

const fewestToDrop = 1_000;

/** Messages in the order they came, for a storage in memory. They leave at the front but for rare exceptions. */
export class OutboxQueue<T extends { readonly id: Uuid }> {
  #messages: T[] = [];
  /** Those before it have left. */
  #first = 0;

  add(message: T): void {
    this.#messages.push(message);
  }

  /** With `after`, those behind the message with that id; none when it is not there. */
  oldest(limit: number, after?: Uuid): readonly T[] {
    const last = after === undefined ? this.#first - 1 : this.#indexOf(after);
    return last === -1 && after !== undefined ? [] : this.#messages.slice(last + 1, last + 1 + limit);
  }

  /** The first of the ids that is not there; undefined when all are. */
  missing(ids: readonly Uuid[]): Uuid | undefined {
    let next = this.#first;
    return ids.find((id) => this.#messages[next++]?.id !== id && this.#indexOf(id) === -1);
  }

  remove(ids: readonly Uuid[]): void {
    for (const id of ids) {
      if (this.#messages[this.#first]?.id === id) this.#first++;
      else this.#messages.splice(this.#indexOf(id), 1);
    }
    if (this.#first < fewestToDrop || this.#first * 2 < this.#messages.length) return;
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }

  #indexOf(id: Uuid): number {
    for (let i = this.#first; i < this.#messages.length; i++) if (this.#messages[i]!.id === id) return i;
    return -1;
  }
}
