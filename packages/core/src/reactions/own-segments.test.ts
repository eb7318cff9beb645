import { describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { OwnSegments } from './own-segments.js';

const stream = (digit: string): Uuid => `01890000-0000-7000-8000-00000000000${digit}` as Uuid;
const place = (transaction: number, sequence: number): { transaction: number; sequence: number } => ({
  transaction,
  sequence,
});

/** Segment 1 is at an event of transaction 20, segment 2 at one of transaction 10 with a greater sequence number. */
const own = new OwnSegments([
  { segment: 1, term: 5, sequence: 3, place: place(20, 3) },
  { segment: 2, term: 6, sequence: 4, place: place(10, 4) },
]);

describe('the segments that a host runs', () => {
  it('start where the one that is furthest behind in the log has ended', () => {
    expect(own.start).toEqual(place(10, 4));
  });

  it.each([
    ['an event after the place of its segment', stream('1'), place(21, 1), true],
    ['an event of a stream whose last digit is 8 more', stream('9'), place(21, 1), true],
    ['an event that its segment has passed', stream('1'), place(15, 9), false],
    ['an event that the other segment has passed', stream('2'), place(15, 9), true],
    ['an event of another segment', stream('3'), place(30, 9), false],
  ])('include %s, or not: %s', (_what, streamId, at, expected) => {
    expect(own.includes(streamId, at)).toBe(expected);
  });

  it('have read a stream up to the place of its segment, although the log is read only up to an earlier one', () => {
    expect(own.placeOf(stream('1'), place(15, 9))).toEqual(place(20, 3));
    expect(own.placeOf(stream('2'), place(15, 9))).toEqual(place(15, 9));
  });

  it('move only if they are before a place, each with its own processed events', () => {
    const reacted = [
      { id: stream('a'), segment: 1 },
      { id: stream('b'), segment: 2 },
    ];
    expect(own.movesTo({ place: place(15, 9), reacted })).toEqual([{ segment: 2, term: 6, passed: [stream('b')] }]);
    expect(own.movesTo({ place: place(20, 4), reacted })).toEqual([
      { segment: 1, term: 5, passed: [stream('a')] },
      { segment: 2, term: 6, passed: [stream('b')] },
    ]);
  });

  it('are current as long as no other term of them has begun', () => {
    const facts = { name: 'Charging', isPaused: false, startedAt: 0, startedAfter: -1 };
    const at = (...terms: number[]): boolean =>
      own.areCurrent({ ...facts, segments: terms.map((term, segment) => ({ segment, term, sequence: 0 })) });
    expect([at(1, 5, 6, 1), at(9, 5, 6, 9), at(1, 6, 6), at(1, 5, 7)]).toEqual([true, true, false, false]);
  });
});
