import type { Uuid } from '../json/index.js';
import { beforeEverything, comparePlaces, type EventLog, type LogPlace } from '../storage/index.js';
import type { ModelEvents } from './model-events.js';
import { nextTurn } from './next-turn.js';

const recordsPerTurn = 1_000;

/** What there is to replay for a perspective when a rebuild begins, so that it can tell how far it has come. */
export class Census {
  /** The places of the events, in order: numbers beside each other, because there may be millions. */
  readonly #sequences: number[] = [];
  readonly #transactions: number[] = [];
  /** How many events there are up to the last one of each stream, in order. */
  #ends: readonly number[] = [];

  static async take(log: EventLog, finder: ModelEvents, signal: AbortSignal | undefined): Promise<Census> {
    const census = new Census();
    const ends = new Map<Uuid, number>();
    let seen = 0;
    for await (const record of log.readRecords(-1)) {
      if (++seen % recordsPerTurn === 0) await nextTurn();
      signal?.throwIfAborted();
      if (!finder.isWanted(record)) continue;
      census.#transactions.push(record.transaction ?? 0);
      ends.set(record.streamId, census.#sequences.push(record.sequence));
    }
    census.#ends = [...ends.values()].toSorted((a, b) => a - b);
    return census;
  }

  get streams(): number {
    return this.#ends.length;
  }

  /** The place of the last event. */
  get head(): LogPlace {
    return this.#sequences.length === 0 ? beforeEverything : this.#placeOf(this.#sequences.length - 1);
  }

  /** How much of it is done once everything up to a place is. */
  upTo(place: LogPlace): { streams: number; events: number } {
    const events = countWhile(this.#sequences.length, (i) => comparePlaces(this.#placeOf(i), place) <= 0);
    return { streams: countWhile(this.#ends.length, (i) => this.#ends[i]! <= events), events };
  }

  #placeOf(index: number): LogPlace {
    return { sequence: this.#sequences[index]!, transaction: this.#transactions[index]! };
  }
}

/** How many fulfil a condition that those in front do and those behind do not. */
function countWhile(length: number, isMet: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isMet(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
