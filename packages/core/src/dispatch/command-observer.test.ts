import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { observed, type CommandObserver } from './command-observer.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const notes: unknown[] = [];
const observer: CommandObserver = {
  succeeded: (ms) => void notes.push(['succeeded', ms]),
  failed: (ms, error) => void notes.push(['failed', ms, error]),
};

it('notes how long a command took, and passes on its result or its error', async () => {
  const afterMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const failure = new Error('no');
  vi.advanceTimersByTime(1_000);
  const succeeding = observed(observer, async () => {
    await afterMs(5);
    return 'result';
  });
  await vi.advanceTimersByTimeAsync(5);
  await expect(succeeding).resolves.toBe('result');
  const failing = observed(observer, async () => {
    await afterMs(7);
    throw failure;
  });
  const [reason] = await Promise.all([failing.catch((error: unknown) => error), vi.advanceTimersByTimeAsync(7)]);
  expect(reason).toBe(failure);
  expect(notes).toEqual([
    ['succeeded', 5],
    ['failed', 7, failure],
  ]);
});
