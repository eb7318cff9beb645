import { expect, it } from 'vitest';
import { TimeHistogram } from './time-histogram.js';

it('computes percentiles with an error of at most 2 %', () => {
  const times = new TimeHistogram();
  expect(times.percentile(99)).toBeNull();
  for (let i = 1; i <= 1000; i += 1) times.add(i);
  expect(times.percentile(99)! / 990).toBeCloseTo(1, 1);
  expect(times.percentile(50)! / 500).toBeCloseTo(1, 1);
});
