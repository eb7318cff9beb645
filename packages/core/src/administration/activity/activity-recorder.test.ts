import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HostActivity, StorageHosts } from '../../storage/index.js';
import { ActivityRecorder, requireValidActivity } from './activity-recorder.js';
import { CommandMeter } from './command-meter.js';

/** Three seconds before the end of an interval. */
const started = 1_800_000_007_000;
const interval = (number: number): number => 1_800_000_000_000 + number * 10_000;

beforeEach(() => void vi.useFakeTimers({ now: started, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** A database that can be unavailable, with what was recorded, by interval. */
function setUp(now = (): number => Date.now()) {
  const meter = new CommandMeter();
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
  const recorder = new ActivityRecorder({ hosts, meter, now, runAsHost: (action) => action(), report });
  const commandsAt = (number: number): number | undefined => recorded.get(interval(number))?.commands;
  return { meter, recorded, database, reported, recorder, commandsAt };
}

const run = (meter: CommandMeter, commands: number): void => {
  for (let i = 0; i < commands; i++) meter.succeeded(5);
};

it('records a host at once, and its commands after each interval of the database', async () => {
  const { meter, recorded, recorder, commandsAt } = setUp();
  recorder.start({ version: '1.2.0' });
  await vi.advanceTimersByTimeAsync(0);
  const [first] = [...recorded.values()];
  expect(first).toMatchObject({ at: interval(0), version: '1.2.0', startedAt: started, everyMs: 10_000, commands: 0 });
  run(meter, 3);
  // At most a second after the end of the interval.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(commandsAt(0)).toBe(3);
  run(meter, 2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(commandsAt(1)).toBe(2);
  expect([...recorded.keys()]).toEqual([interval(0), interval(1)]);
});

it('records the intervals of an unavailable database later, each as it was', async () => {
  const { meter, database, reported, recorder, commandsAt } = setUp();
  recorder.start({});
  await vi.advanceTimersByTimeAsync(0);
  database.isAvailable = false;
  run(meter, 3);
  await vi.advanceTimersByTimeAsync(4_000);
  run(meter, 4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reported).toHaveLength(2);
  database.isAvailable = true;
  run(meter, 5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([0, 1, 2].map(commandsAt)).toEqual([3, 4, 5]);
});

it('holds no more than an hour of intervals for an unavailable database', async () => {
  const { database, recorded, recorder } = setUp();
  recorder.start({});
  database.isAvailable = false;
  await vi.advanceTimersByTimeAsync(3 * 60 * 60 * 1000);
  database.isAvailable = true;
  database.attempts = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(recorded.size).toBe(361);
  expect(database.attempts).toBe(361);
});

it('never replaces the record of an interval if the clock of the database goes back', async () => {
  let skew = 0;
  const { meter, recorded, recorder, commandsAt } = setUp(() => Date.now() + skew);
  recorder.start({});
  run(meter, 3);
  await vi.advanceTimersByTimeAsync(4_000);
  skew = -60 * 60 * 1000;
  run(meter, 4);
  await vi.advanceTimersByTimeAsync(11_000);
  expect([commandsAt(0), commandsAt(1)]).toEqual([3, 4]);
  expect(recorded.size).toBe(2);
});

it('records what is left when it stops, and leaves', async () => {
  const { meter, database, recorder, commandsAt } = setUp();
  recorder.start({});
  run(meter, 3);
  await recorder.stop();
  expect(commandsAt(0)).toBe(3);
  expect(database.hasLeft).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  recorder.start({});
  expect(vi.getTimerCount()).toBe(0);
});

it('stops while the database is unavailable', async () => {
  const { database, recorder } = setUp();
  recorder.start({});
  database.isAvailable = false;
  await recorder.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('records nothing if it was never started', async () => {
  const { meter, recorded, database, recorder } = setUp();
  await vi.advanceTimersByTimeAsync(60_000);
  await recorder.stop();
  expect([recorded.size, database.hasLeft, meter.isOn]).toEqual([0, false, false]);
});

it('rejects intervals that do not fill ten seconds, and long versions', () => {
  for (const everyMs of [0, 3_000, 60_000, 1.5, Number.NaN]) {
    expect(() => requireValidActivity({ everyMs })).toThrow('everyMs must be one of 1000, 2000, 5000, 10000');
  }
  expect(() => requireValidActivity({ version: 'x'.repeat(201) })).toThrow('at most 200 characters, not 201');
  expect(() => requireValidActivity({ version: null, everyMs: 5_000 })).not.toThrow();
});
