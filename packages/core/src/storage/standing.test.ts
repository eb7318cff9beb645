import { expect, it } from 'vitest';
import { eventsPerSecond, type SegmentStanding } from './perspective-standing.js';
import { mostHeldBack, waitingEvents } from './reading-stall.js';

const at = (sequence: number): SegmentStanding => ({ sequence, stopped: 0, behind: 0, oldest: null });

it('measures how many events of the log a perspective passes per second', () => {
  expect(eventsPerSecond(at(100), at(600), 1_000)).toBe(500);
  expect(eventsPerSecond(at(100), at(600), 2_000)).toBe(250);
  expect(eventsPerSecond(at(-1), at(0), 3_000), 'rounded down').toBe(0);
  expect(eventsPerSecond(at(-1), at(0), 2_000), 'rounded up').toBe(1);
});

it('measures no speed while a perspective goes back, as for a rebuild', () => {
  expect(eventsPerSecond(at(600), at(-1), 1_000)).toBe(0);
});

it('says how many events wait, up to the limit to which they are counted', () => {
  expect(mostHeldBack).toBe(10_000);
  expect([0, 1, 2, mostHeldBack, mostHeldBack + 1].map((heldBack) => waitingEvents({ heldBack }))).toEqual([
    '0 events wait',
    '1 event waits',
    '2 events wait',
    '10000 events wait',
    'More than 10,000 events wait',
  ]);
});
