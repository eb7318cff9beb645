import { beforeEverything, comparePlaces, type EventLog, type LogPlace } from '../../storage/index.js';
import type { ModelEvents } from '../apply/model-events.js';

/** The streams and events to replay when a rebuild starts, for its progress. */
export class Census {
  /** The place of each stream's last event, in ascending order. */
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

  /** How many streams are complete once all events up to a place are replayed. */
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
