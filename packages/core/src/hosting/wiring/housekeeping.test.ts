import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InMemoryStorage, type Expiry } from '../../storage/index.js';
import { defaultReceivedMs, Housekeeping } from './housekeeping.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hour = 60 * 60 * 1000;

function watched(...answers: (number | Error)[]) {
  const calls: [Expiry, number][] = [];
  const storage = new InMemoryStorage();
  storage.forgetExpired = (expiry, limit) => {
    calls.push([expiry, limit]);
    const answer = answers.shift() ?? 0;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const reported: unknown[] = [];
  const housekeeping = new Housekeeping(storage, defaultReceivedMs, (error) => reported.push(error));
  housekeeping.start();
  return { calls, reported, housekeeping };
}

it('deletes in batches until little is left, then periodically', async () => {
  const { calls } = watched(500, 700, 20);
  await vi.advanceTimersByTimeAsync(15 * 60 * 1000 + 1_000);
  expect(calls.length).toBeGreaterThanOrEqual(3);
  expect(calls.length).toBeLessThanOrEqual(5);
  expect(calls[0]).toEqual([
    { receivedMs: 14 * 24 * hour, idempotencyKeysMs: 24 * hour, operationsMs: 30 * 24 * hour },
    500,
  ]);
  const before = calls.length;
  await vi.advanceTimersByTimeAsync(hour);
  expect(calls.length - before).toBeGreaterThanOrEqual(3);
  expect(calls.length - before).toBeLessThanOrEqual(13);
});

it('reports a failure and continues, and does nothing after it is stopped', async () => {
  const { calls, reported, housekeeping } = watched(new Error('away'));
  await vi.advanceTimersByTimeAsync(hour);
  expect(reported).toHaveLength(1);
  expect(calls.length).toBeGreaterThan(1);
  housekeeping.stop();
  const before = calls.length;
  await vi.advanceTimersByTimeAsync(hour);
  expect(calls.length).toBe(before);
});
