import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beforeRetry } from './conflict-retries.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('waits a random time, which can be twice as long before each further retry', async () => {
  const waits: number[] = [];
  for (const retries of [2, 3, 4]) {
    const started = performance.now();
    const waiting = beforeRetry(retries).then(() => waits.push(performance.now() - started));
    await vi.runAllTimersAsync();
    await waiting;
  }
  expect(waits).toEqual([2, 4, 8]);
});
