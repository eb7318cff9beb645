import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  reactionSegmentOf,
  type LogPlace,
  type ReactionRecord,
  type ReactionSegment,
  type SegmentMove,
} from '../storage/index.js';
import type { Passed } from './passed-events.js';

interface OwnSegment extends ReactionSegment {
  readonly place: LogPlace;
}

/**
 * The segments of a reaction that this host runs during a term. They were run by different hosts before, so their places differ: the log is
 * read from the first of them, and the events that a segment has passed are skipped.
 */
export class OwnSegments {
  readonly #segments: ReadonlyMap<number, OwnSegment>;
  /** The place of the segment that is furthest behind. */
  readonly start: LogPlace;

  constructor(segments: readonly OwnSegment[]) {
    this.#segments = new Map(segments.map((one) => [one.segment, one]));
    this.start = segments.map(({ place }) => place).reduce((a, b) => (comparePlaces(a, b) <= 0 ? a : b));
  }

  get numbers(): readonly number[] {
    return [...this.#segments.keys()];
  }

  /** Whether these are exactly the segments with some numbers. */
  are(numbers: readonly number[]): boolean {
    return numbers.length === this.#segments.size && numbers.every((number) => this.#segments.has(number));
  }

  /** Whether all of them are still in the term of this host. */
  areCurrent({ segments }: ReactionRecord): boolean {
    return segments.every(({ segment, term }) => (this.#segments.get(segment)?.term ?? term) === term);
  }

  /** Whether a stream belongs to them, and its event at a place was not passed when the term began. */
  includes(streamId: Uuid, place: LogPlace): boolean {
    const own = this.#segments.get(reactionSegmentOf(streamId));
    return own !== undefined && comparePlaces(place, own.place) > 0;
  }

  /** The segment of a stream and its term. */
  of(streamId: Uuid): Pick<OwnSegment, 'segment' | 'term'> {
    return this.#segments.get(reactionSegmentOf(streamId))!;
  }

  /** The place up to which the events of a stream are read, if the log is read up to `read`. */
  placeOf(streamId: Uuid, read: LogPlace): LogPlace {
    const { place } = this.#segments.get(reactionSegmentOf(streamId))!;
    return comparePlaces(place, read) > 0 ? place : read;
  }

  /** The segments that a place moves forward, with their processed events before it. */
  movesTo({ place, reacted }: Passed): SegmentMove[] {
    const moving = [...this.#segments.values()].filter((own) => comparePlaces(place, own.place) > 0);
    return moving.map(({ segment, term }) => ({
      segment,
      term,
      passed: reacted.filter((event) => event.segment === segment).map(({ id }) => id),
    }));
  }
}
