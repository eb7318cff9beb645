import { expect, it } from 'vitest';
import { uuid } from '../json/index.js';
import { firstIdOf } from '../messages/index.js';
import { ClockLimit, defaultAheadMs } from './clock-limit.js';

const now = Date.UTC(2026, 6, 1);
const limit = new ClockLimit(60_000, () => now);

it('accepts ids of the past, and those that are ahead by the limit at most', () => {
  for (const ahead of [-86_400_000, 0, 60_000]) expect(limit.flawOf(firstIdOf(now + ahead)), `${ahead} ms`).toBeNull();
});

it('rejects an id that is further ahead, with its seconds in the future', () => {
  expect(limit.flawOf(firstIdOf(now + 60_001))).toBe("its id is 60 s in the future. Check the sender's clock");
  expect(limit.flawOf(firstIdOf(now + 3_600_000))).toMatch(/^its id is 3600 s in the future/);
});

it('accepts an id without a time', () => {
  expect(limit.flawOf(uuid('ffffffff-ffff-4fff-8fff-ffffffffffff'))).toBeNull();
});

it('allows five minutes by default', () => {
  expect(defaultAheadMs).toBe(300_000);
});
