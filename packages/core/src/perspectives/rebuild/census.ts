import { beforeEverything, comparePlaces, type EventLog, type LogPlace } from '../../storage/index.js';
import type { ModelEvents } from '../apply/model-events.js';

/** What there is to replay for a perspective when a rebuild begins, so that it can tell how far it has come. */
export class Census {
  /** Where each stream has its last event, in order. */
  readonly #ends: readonly LogPlace[];

  private constructor(ends: readonly LogPlace[]) {
    this.#ends = ends;
  }

  static async take(log: EventLog, { types }: ModelEvents, signal: AbortSignal | undefined): Promise<Census> {
    return new Census(await log.readStreamEnds(types, signal));
  }

  get streams(): number {
    return this.#ends.length;
  }

  /** The place of the last event. */
  get head(): LogPlace {
    return this.#ends.at(-1) ?? beforeEverything;
  }

  /** How many streams are done once everything up to a place is. */
  streamsUpTo(place: LogPlace): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePlaces(this.#ends[middle]!, place) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
