import { expect, it } from 'vitest';
import { beforeEverything, comparePlaces, type LogPlace } from './log-place.js';

const sorted = (places: readonly LogPlace[]): LogPlace[] => places.toSorted(comparePlaces);

it('orders places by sequence number where the log has no transactions', () => {
  expect(sorted([{ sequence: 10 }, { sequence: 9 }, { sequence: 0 }])).toEqual([
    { sequence: 0 },
    { sequence: 9 },
    { sequence: 10 },
  ]);
});

it('orders places by transaction first, and within it by sequence number', () => {
  const places = [
    { sequence: 9, transaction: 800 },
    { sequence: 3, transaction: 801 },
    { sequence: 4, transaction: 801 },
  ];
  expect(sorted(places.toReversed())).toEqual(places);
});

it('has places without a transaction before those of any transaction', () => {
  expect(comparePlaces({ sequence: 5 }, { sequence: 4, transaction: 801 })).toBeLessThan(0);
  expect(comparePlaces({ sequence: 4, transaction: 801 }, { sequence: 5 })).toBeGreaterThan(0);
});

it('has the place before every event first', () => {
  expect(beforeEverything).toEqual({ sequence: -1, transaction: -1 });
  expect(comparePlaces(beforeEverything, { sequence: 0 })).toBeLessThan(0);
  expect(comparePlaces(beforeEverything, { sequence: 0, transaction: 0 })).toBeLessThan(0);
  expect(comparePlaces({ sequence: 0 }, beforeEverything)).toBeGreaterThan(0);
});

it('finds the same event at the same place', () => {
  expect(comparePlaces({ sequence: 4, transaction: 801 }, { sequence: 4, transaction: 801 })).toBe(0);
  expect(comparePlaces({ sequence: 4 }, { sequence: 4, transaction: 0 })).toBe(0);
});
