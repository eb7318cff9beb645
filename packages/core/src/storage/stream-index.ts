import type { Uuid } from '../json/index.js';

/** A power of two, as all sizes of the table are. */
const smallestTable = 1_024;

/**
 * Which events of a log belong to which stream, by their places in the log. A hash table of numbers alone, since streams are many and stay:
 * a `Map` of them would be looked through by the collector, and stand still whenever it grows. Most streams have one event.
 */
export class StreamIndex {
  readonly #streamIdAt: (place: number) => string;
  /** Nobody can choose ids that fall on each other without knowing it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  /** The place of the first event of a stream, plus one; 0 where the table is free. */
  #firsts = new Int32Array(smallestTable);
  #hashes = new Int32Array(smallestTable);
  #streams = 0;
  /** The places of all events of a stream that has several, by that of the first. */
  readonly #several = new Map<number, number[]>();
  /** The stream that got its last event, or was asked for: mostly it is asked for again. */
  #recent: Uuid | undefined;
  #recentFirst = -1;

  /** `streamIdAt` tells the stream of the event at a place that was added. */
  constructor(streamIdAt: (place: number) => string) {
    this.#streamIdAt = streamIdAt;
  }

  /** Adds the event at a place of the log, and returns its position in its stream. */
  add(streamId: Uuid, place: number): number {
    const first = this.#firstOf(streamId);
    if (first === -1) {
      this.#addStream(streamId, place);
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
    const first = this.#firsts[this.#slotOf(streamId, this.#hashOf(streamId))]! - 1;
    this.#recent = streamId;
    this.#recentFirst = first;
    return first;
  }

  #addStream(streamId: Uuid, first: number): void {
    const hash = this.#hashOf(streamId);
    const slot = this.#slotOf(streamId, hash);
    this.#firsts[slot] = first + 1;
    this.#hashes[slot] = hash;
    this.#recent = streamId;
    this.#recentFirst = first;
    this.#streams++;
    if (this.#streams * 2 > this.#firsts.length) this.#grow();
  }

  /** Where a stream stands in the table, or would stand. */
  #slotOf(streamId: Uuid, hash: number): number {
    const mask = this.#firsts.length - 1;
    let slot = hash & mask;
    while (this.#firsts[slot] !== 0 && !this.#isAt(slot, streamId, hash)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(slot: number, streamId: Uuid, hash: number): boolean {
    return this.#hashes[slot] === hash && this.#streamIdAt(this.#firsts[slot]! - 1) === streamId;
  }

  #grow(): void {
    const [firsts, hashes] = [this.#firsts, this.#hashes];
    this.#firsts = new Int32Array(firsts.length * 2);
    this.#hashes = new Int32Array(firsts.length * 2);
    const mask = this.#firsts.length - 1;
    firsts.forEach((first, i) => {
      if (first === 0) return;
      let slot = hashes[i]! & mask;
      while (this.#firsts[slot] !== 0) slot = (slot + 1) & mask;
      this.#firsts[slot] = first;
      this.#hashes[slot] = hashes[i]!;
    });
  }

  /** FNV-1a. */
  #hashOf(streamId: Uuid): number {
    let hash = this.#seed;
    for (let i = 0; i < streamId.length; i++) hash = Math.imul(hash ^ streamId.charCodeAt(i), 0x0100_0193);
    return hash;
  }
}
