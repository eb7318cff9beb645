import type { Uuid } from '../json/index.js';

/** Which events of a log belong to which stream, by their places in the log. Most streams are short: one event is kept as a bare number. */
export class StreamIndex {
  readonly #places = new Map<Uuid, number | number[]>();

  /** Adds the event at a place of the log, and returns its position in its stream. */
  add(streamId: Uuid, place: number): number {
    const places = this.#places.get(streamId);
    if (places === undefined) {
      this.#places.set(streamId, place);
      return 0;
    }
    if (typeof places === 'number') {
      this.#places.set(streamId, [places, place]);
      return 1;
    }
    return places.push(place) - 1;
  }

  count(streamId: Uuid): number {
    const places = this.#places.get(streamId);
    if (places === undefined) return 0;
    return typeof places === 'number' ? 1 : places.length;
  }

  /** The place of the event at a position of a stream; undefined when there is none. */
  placeOf(streamId: Uuid, position: number): number | undefined {
    const places = this.#places.get(streamId);
    if (typeof places === 'number') return position === 0 ? places : undefined;
    return places?.[position];
  }
}
