import type { Uuid } from '../../json/index.js';
import { IdTable } from './id-table.js';

/** Which events of a log belong to which stream, by their places in the log. Most streams have one event. */
export class StreamIndex {
  /** The place of the first event of each stream. */
  readonly #firsts: IdTable;
  /** The places of all events of a stream that has several, by that of the first. */
  readonly #several = new Map<number, number[]>();
  /** The stream that got its last event, or was asked for: mostly it is asked for again. */
  #recent: Uuid | undefined;
  #recentFirst = -1;

  /** `streamIdAt` tells the stream of the event at a place that was added. */
  constructor(streamIdAt: (place: number) => string) {
    this.#firsts = new IdTable(streamIdAt);
  }

  /** Adds the event at a place of the log, and returns its position in its stream. */
  add(streamId: Uuid, place: number): number {
    const first = this.#firstOf(streamId);
    if (first === -1) {
      this.#firsts.add(streamId, place);
      this.#recentFirst = place;
      return 0;
    }
    const places = this.#several.get(first);
    if (places !== undefined) return places.push(place) - 1;
    this.#several.set(first, [first, place]);
    return 1;
  }

  count(streamId: Uuid): number {
    const first = this.#firstOf(streamId);
    return first === -1 ? 0 : (this.#several.get(first)?.length ?? 1);
  }

  /** The place of the event at a position of a stream; undefined when there is none. */
  placeOf(streamId: Uuid, position: number): number | undefined {
    const first = this.#firstOf(streamId);
    if (first === -1) return undefined;
    return position === 0 ? first : this.#several.get(first)?.[position];
  }

  #firstOf(streamId: Uuid): number {
    if (streamId === this.#recent) return this.#recentFirst;
    this.#recentFirst = this.#firsts.find(streamId);
    this.#recent = streamId;
    return this.#recentFirst;
  }
}
