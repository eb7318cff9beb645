import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { migrationSettings } from './migration-options.js';
import { begin, despiteLocks, sleep } from './patience.js';

let random: MockInstance<() => number>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // Delays are neither shorter nor longer.
  random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = new AbortController().signal;

/** Records the times of attempts, in milliseconds since the first. */
function attemptsOf<T>(results: (attempt: number) => T): { readonly times: number[]; readonly work: () => Promise<T> } {
  const times: number[] = [];
  const start = performance.now();
  return {
    times,
    work: async () => {
      times.push(performance.now() - start);
      await Promise.resolve();
      return results(times.length);
    },
  };
}

describe('while another transaction holds a lock', () => {
  const locked = new Error('locked');
  const database = { isLocked: (error: unknown) => error === locked } as MigrationDatabase;
  const failTimes = (count: number) =>
    attemptsOf((attempt) => {
      if (attempt <= count) throw locked;
      return 'done';
    });
  const despite = (work: () => Promise<string>, lockWaitMs: number, signal = never) =>
    despiteLocks(database, migrationSettings({ lockWaitMs }), signal, work);

  it('the work is retried with delays that double, up to 500 ms', async () => {
    const { times, work } = failTimes(8);
    const result = despite(work, 30_000);
    await vi.runAllTimersAsync();
    expect(await result).toBe('done');
    expect(times).toEqual([0, 25, 75, 175, 375, 775, 1_275, 1_775, 2_275]);
  });

  it('each delay is random, from half of it to one and a half', async () => {
    random.mockReturnValue(0);
    const { times, work } = failTimes(3);
    const result = despite(work, 30_000);
    await vi.runAllTimersAsync();
    await result;
    expect(times.map(Math.floor)).toEqual([0, 12, 37, 87]);
    random.mockReturnValue(0.999);
    const slow = failTimes(2);
    const slowResult = despite(slow.work, 30_000);
    await vi.runAllTimersAsync();
    await slowResult;
    expect(slow.times[1]).toBeGreaterThan(36);
    expect(slow.times[2]! - slow.times[1]!).toBeGreaterThan(73);
  });

  it('the work is retried for the last time when the limit is reached, and then rejects with the error of the lock', async () => {
    const { times, work } = failTimes(100);
    await Promise.all([expect(despite(work, 1_000)).rejects.toBe(locked), vi.runAllTimersAsync()]);
    expect(times).toEqual([0, 25, 75, 175, 375, 775, 1_000]);
  });

  it('work that takes longer than the limit is not retried', async () => {
    const work = vi.fn<() => Promise<never>>(async () => {
      await sleep(10, never);
      throw locked;
    });
    await Promise.all([expect(despite(work, 10)).rejects.toBe(locked), vi.runAllTimersAsync()]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('another error rejects at once', async () => {
    const other = new Error('no such table');
    const { times, work } = attemptsOf((): string => {
      throw other;
    });
    await expect(despite(work, 30_000)).rejects.toBe(other);
    expect(times).toEqual([0]);
  });

  it('waiting ends with the reason of an abort', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(new Error('closed')), 30);
    const result = despite(failTimes(100).work, 30_000, stopping.signal);
    await Promise.all([expect(result).rejects.toThrow('closed'), vi.advanceTimersByTimeAsync(30)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a session', () => {
  const session = {} as MigrationSession;
  const heldFor = (attempts: number) => attemptsOf((attempt) => (attempt <= attempts ? null : session));

  it('begins at once if no other process holds it', async () => {
    const names: string[] = [];
    const onWait = vi.fn<() => void>();
    const database = { begin: (name: string) => (names.push(name), Promise.resolve(session)) } as MigrationDatabase;
    expect(await begin(database, 'schema', never, onWait)).toBe(session);
    expect(names).toEqual(['schema']);
    expect(onWait).not.toHaveBeenCalled();
  });

  it('is waited for without a limit while another process holds it, with delays up to 500 ms', async () => {
    const { times, work } = heldFor(200);
    const onWait = vi.fn<() => void>();
    const result = begin({ begin: work } as unknown as MigrationDatabase, 'schema', never, onWait);
    await vi.runAllTimersAsync();
    expect(await result).toBe(session);
    expect(times.slice(0, 8)).toEqual([0, 25, 75, 175, 375, 775, 1_275, 1_775]);
    expect(times).toHaveLength(201);
    expect(times.at(-1)).toBe(775 + 195 * 500);
    expect(onWait).toHaveBeenCalledTimes(200);
  });

  it('is waited for with random delays, so that processes do not try at the same time', async () => {
    random.mockReturnValueOnce(0.1).mockReturnValueOnce(0.9);
    const { times, work } = heldFor(2);
    const result = begin({ begin: work } as unknown as MigrationDatabase, 'schema', never, () => {});
    await vi.runAllTimersAsync();
    await result;
    expect(times).toEqual([0, 15, 85]);
  });

  it('is not waited for any longer after an abort', async () => {
    const stopping = new AbortController();
    const { times, work } = heldFor(200);
    setTimeout(() => stopping.abort(new Error('closed')), 26);
    const result = begin({ begin: work } as unknown as MigrationDatabase, 'schema', stopping.signal, () => {});
    await Promise.all([expect(result).rejects.toThrow('closed'), vi.advanceTimersByTimeAsync(26)]);
    expect(times).toEqual([0, 25]);
  });
});

describe('a pause', () => {
  it('ends after its time, and no longer listens to the signal', async () => {
    const { signal } = new AbortController();
    let isOver = false;
    const pause = sleep(100, signal).then(() => (isOver = true));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(99);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await pause;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends with the reason of an abort, and leaves no timer', async () => {
    const stopping = new AbortController();
    const pause = sleep(100, stopping.signal);
    stopping.abort(new Error('closed'));
    await expect(pause).rejects.toThrow('closed');
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });

  it('does not begin after an abort', async () => {
    await expect(sleep(100, AbortSignal.abort(new Error('closed')))).rejects.toThrow('closed');
    expect(vi.getTimerCount()).toBe(0);
  });
});
