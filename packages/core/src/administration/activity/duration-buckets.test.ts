import { expect, it } from 'vitest';
import { bucketOf, percentileOf } from './duration-buckets.js';

function countsOf(durations: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1;
  return counts;
}

it('has percentiles with an error of at most 10 %', () => {
  for (const ms of [0.2, 1, 7.5, 99, 1_234, 60_000]) {
    const shown = percentileOf(countsOf([ms]), 99)!;
    // Three digits are shown.
    expect(shown).toBeGreaterThanOrEqual(ms * 0.995);
    expect(shown).toBeLessThanOrEqual(ms * 1.106);
  }
});

it('has the percentiles of all commands, however their buckets are ordered', () => {
  const counts = countsOf(Array.from({ length: 1_000 }, (_, i) => 1_000 - i));
  expect(percentileOf(counts, 50)).toBeGreaterThan(450);
  expect(percentileOf(counts, 50)).toBeLessThan(560);
  expect(percentileOf(counts, 99)).toBeGreaterThan(985);
  expect(percentileOf(counts, 99)).toBeLessThan(1_100);
  expect(percentileOf({ 20: 1, 3: 99 }, 99)).toBe(percentileOf({ 3: 1 }, 99));
});

it('has no percentile without commands', () => {
  expect(percentileOf({}, 99)).toBeNull();
});

it('has a limited number of buckets, whatever the duration', () => {
  const buckets = [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, 1e12].map(bucketOf);
  expect(buckets).toEqual([0, 0, 0, 180, 180]);
});
