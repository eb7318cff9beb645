import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CommandObserver } from '../../dispatch/index.js';
import type { HostActivity, StorageHosts } from '../../storage/index.js';
import { ActivityRecorder, requireValidActivity } from './activity-recorder.js';

/** Three seconds before the end of an interval. */
const started = 1_800_000_007_000;
const interval = (number: number): number => 1_800_000_000_000 + number * 10_000;

beforeEach(() => void vi.useFakeTimers({ now: started, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** A database that can be unavailable, with what was recorded, by interval. */
function setUp(now = (): number => Date.now()) {
  const observers: CommandObserver[] = [];
  const recorded = new Map<number, HostActivity>();
  const database = { isAvailable: true, hasLeft: false, attempts: 0 };
  const reported: unknown[] = [];
  const hosts: StorageHosts = {
    record: async (activity) => {
      database.attempts++;
      if (!database.isAvailable) throw new Error('The database is unavailable.');
      recorded.set(activity.at, activity);
    },
    leave: async () => {
      if (!database.isAvailable) throw new Error('The database is unavailable.');
      database.hasLeft = true;
    },
    read: async () => [],
    readActivity: async () => [],
  };
  const report = (error: unknown): void => void reported.push(error);
  const recorder = new ActivityRecorder({
    hosts,
    observe: (one) => void observers.push(one),
    now,
    runAsHost: (action) => action(),
    report,
  });
  const commandsAt = (number: number): number | undefined => recorded.get(interval(number))?.commands;
  return { observers, recorded, database, reported, recorder, commandsAt };
}

const run = ([observer]: readonly CommandObserver[], commands: number): void => {
  for (let i = 0; i < commands; i++) observer!.succeeded(5);
};

it('records a host at once, and its commands after each interval of the database', async () => {
  const { observers, recorded, recorder, commandsAt } = setUp();
  recorder.start({ version: '1.2.0' });
  await vi.advanceTimersByTimeAsync(0);
  const [first] = [...recorded.values()];
  expect(first).toMatchObject({ at: interval(0), version: '1.2.0', startedAt: started, everyMs: 10_000, commands: 0 });
  run(observers, 3);
  // At most a second after the end of the interval.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(commandsAt(0)).toBe(3);
  run(observers, 2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(commandsAt(1)).toBe(2);
  expect([...recorded.keys()]).toEqual([interval(0), interval(1)]);
});

it('records the intervals of an unavailable database later, each as it was', async () => {
  const { observers, database, reported, recorder, commandsAt } = setUp();
  recorder.start({});
  await vi.advanceTimersByTimeAsync(0);
  database.isAvailable = false;
  run(observers, 3);
  await vi.advanceTimersByTimeAsync(4_000);
  run(observers, 4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reported).toHaveLength(2);
  database.isAvailable = true;
  run(observers, 5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([0, 1, 2].map(commandsAt)).toEqual([3, 4, 5]);
});

it('holds no more than an hour of intervals for an unavailable database', async () => {
  const { database, recorded, recorder } = setUp();
  recorder.start({});
  database.isAvailable = false;
  await vi.advanceTimersByTimeAsync(65 * 60 * 1_000);
  database.isAvailable = true;
  database.attempts = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(recorded.size).toBe(361);
  expect(database.attempts).toBe(361);
});

it('never replaces the record of an interval if the clock of the database goes back', async () => {
  let skew = 0;
  const { observers, recorded, recorder, commandsAt } = setUp(() => Date.now() + skew);
  recorder.start({});
  run(observers, 3);
  await vi.advanceTimersByTimeAsync(4_000);
  skew = -20_000;
  run(observers, 4);
  await vi.advanceTimersByTimeAsync(11_000);
  run(observers, 5);
  await vi.advanceTimersByTimeAsync(11_000);
  expect([0, 1, 2].map(commandsAt)).toEqual([3, 4, 5]);
  expect(recorded.size).toBe(3);
});

it('records what is left when it stops, and leaves', async () => {
  const { observers, database, recorder, commandsAt } = setUp();
  recorder.start({});
  run(observers, 3);
  await recorder.stop();
  expect(commandsAt(0)).toBe(3);
  expect(database.hasLeft).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  recorder.start({});
  expect(vi.getTimerCount()).toBe(0);
  const { attempts } = database;
  await recorder.stop();
  expect(database.attempts, 'the storage may be closed').toBe(attempts);
});

it('stops while the database is unavailable', async () => {
  const { database, recorder } = setUp();
  recorder.start({});
  database.isAvailable = false;
  await recorder.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('records nothing if it was never started', async () => {
  const { observers, recorded, database, recorder } = setUp();
  await vi.advanceTimersByTimeAsync(60_000);
  await recorder.stop();
  expect([recorded.size, database.hasLeft, observers.length]).toEqual([0, false, 0]);
});

it('rejects intervals that do not fill ten seconds, and long versions', () => {
  for (const everyMs of [0, 3_000, 60_000, 1.5, Number.NaN]) {
    expect(() => requireValidActivity({ everyMs })).toThrow('everyMs must be one of 1000, 2000, 5000, 10000');
  }
  expect(() => requireValidActivity({ version: 'x'.repeat(201) })).toThrow('at most 200 characters, not 201');
  expect(() => requireValidActivity({ version: null, everyMs: 5_000 })).not.toThrow();
});
