import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseClock } from './database-clock.js';

const hour = 3_600_000;

/** The clock of a database, which runs on while that of the host is set. */
class Database {
  /** How far it is ahead of where it began, apart from the time that has passed. */
  steppedMs = 0;
  isAway = false;
  asked = 0;
  readonly #began = Date.now() - performance.now();

  get time(): number {
    return this.#began + performance.now() + this.steppedMs;
  }

  read(): Promise<number> {
    this.asked++;
    return this.isAway ? Promise.reject(new Error('away')) : Promise.resolve(this.time);
  }
}

/** What is asked for in the background is answered by then. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let database: Database;
let clock: DatabaseClock;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  database = new Database();
  clock = new DatabaseClock({ clock: database });
  await clock.measure();
});
afterEach(() => void vi.useRealTimers());

it.each([-hour, hour])('follows the database when the clock of the host steps by %i ms', async (ms) => {
  vi.setSystemTime(Date.now() + ms);
  vi.advanceTimersByTime(1_000);
  expect(clock.now()).toBe(database.time);
  expect(await clock.measure()).toMatchObject({ ms });
  expect(clock.now()).toBe(database.time);
});

it('is measured again in the background, once, when the last measurement is older than a minute', async () => {
  database.steppedMs = 10 * 60_000;
  vi.advanceTimersByTime(59_000);
  clock.now();
  expect(database.asked).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect([clock.now(), clock.now()], 'the last answer').toEqual(Array(2).fill(database.time - database.steppedMs));
  await answered();
  expect(clock.now()).toBe(database.time);
  expect(database.asked).toBe(2);
});

it('uses the last measurement while the database is unavailable, and reports its age', async () => {
  database.isAway = true;
  vi.advanceTimersByTime(5 * 60_000);
  expect(clock.now()).toBe(database.time);
  await answered();
  expect(database.asked).toBe(2);
  vi.advanceTimersByTime(30_000);
  clock.now();
  expect(database.asked, 'not with every use').toBe(2);
  expect(clock.ageMs).toBe(5.5 * 60_000);
  await expect(clock.measure()).rejects.toThrow('away');
  expect(clock.ageMs).toBe(5.5 * 60_000);
});

it('is the clock of the host if the database has none, or before the first measurement', () => {
  for (const unasked of [new DatabaseClock({}), new DatabaseClock({ clock: new Database() })]) {
    vi.setSystemTime(Date.now() + hour);
    expect(unasked.now()).toBe(Date.now());
    expect(unasked.ageMs).toBeNull();
  }
});

it('knows whether the database has its own clock', () => {
  expect(clock.isOther).toBe(true);
  expect(new DatabaseClock({}).isOther).toBe(false);
});

it('measures no difference to the clock of the host if the database has none', async () => {
  const own = new DatabaseClock({});
  vi.advanceTimersByTime(5 * 60_000);
  expect(own.now()).toBe(Date.now());
  expect(await own.measure()).toEqual({ ms: 0, uncertaintyMs: 0 });
  expect(own.ageMs).toBeNull();
});

it('assumes that the database was read in the middle of the round trip', async () => {
  const slow = new DatabaseClock({
    clock: {
      read: () => {
        const { time } = database;
        vi.advanceTimersByTime(100);
        return Promise.resolve(time - 7_000);
      },
    },
  });
  expect(await slow.measure(), 'the host is 7 seconds ahead, and 50 ms more').toEqual({ ms: 7_050, uncertaintyMs: 50 });
  expect(slow.now()).toBe(Date.now() - 7_050);
  expect(slow.ageMs).toBe(0);
});

it('is measured again only after more than a minute', async () => {
  vi.advanceTimersByTime(60_000);
  clock.now();
  expect(database.asked).toBe(1);
  vi.advanceTimersByTime(1);
  clock.now();
  await answered();
  expect(database.asked).toBe(2);
});

it('measures a first time in the background when the host has run for a minute', async () => {
  const unasked = new DatabaseClock({ clock: database });
  database.steppedMs = hour;
  vi.advanceTimersByTime(60_001);
  expect(unasked.now()).toBe(Date.now());
  await answered();
  expect(unasked.now()).toBe(database.time);
});
