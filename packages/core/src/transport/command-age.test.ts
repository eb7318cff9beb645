import { expect, it } from 'vitest';
import { CommandAge } from './command-age.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 6, 1);

it.each<[string, number, boolean]>([
  ['just sent', 0, true],
  ['that waited for days', 13 * day, true],
  ['whose id is deleted soon', 14 * day - 6 * minute, true],
  ['whose id a host with the slowest clock deletes now', 14 * day - 5 * minute, true],
  ['whose id a host with a slow clock may have deleted', 14 * day - 4 * minute, false],
  ['whose id is deleted', 14 * day, false],
  ['from a host whose clock is ahead', -4 * minute, true],
  ['from a host whose clock is as far ahead as allowed', -5 * minute, true],
  ['from the future', -6 * minute, false],
  ['from next year', -365 * day, false],
])('with a retention time of 14 days, a command %s: %#', (_, age, isRun) => {
  expect(new CommandAge(14 * day).flawOf({ timestamp: now - age }, now) === null).toBe(isRun);
});

it('allows clocks to differ by a tenth of a short retention time', () => {
  const age = new CommandAge(10 * minute);
  expect(age.flawOf({ timestamp: now - 8.9 * minute }, now)).toBeNull();
  expect(age.flawOf({ timestamp: now - 9.1 * minute }, now)).toMatch(
    /older than the retention time of received messages/,
  );
  expect(age.flawOf({ timestamp: now + 1.1 * minute }, now)).toMatch(/in the future/);
});

it('expires a command before its id is deleted, whichever way clocks differ', () => {
  const receivedMs = 14 * day;
  const age = new CommandAge(receivedMs);
  for (const ahead of [-5 * minute, 0, 5 * minute]) {
    const timestamp = now + ahead;
    const forgottenAt = now + receivedMs;
    expect(age.flawOf({ timestamp }, forgottenAt + 1), `the sender's clock is ${ahead} ms ahead`).not.toBeNull();
  }
});
