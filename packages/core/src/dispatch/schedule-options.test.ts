import { expect, it } from 'vitest';
import { durationMs, type Duration } from './duration.js';
import { dueTimeOf, scheduleKeyOf, type ScheduleOptions } from './schedule-options.js';

it('adds the parts of a duration', () => {
  expect(durationMs({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 })).toBe(93_784_005);
  expect(durationMs({ minutes: 0.5 })).toBe(30_000);
  expect(durationMs({ seconds: 0 })).toBe(0);
});

it.each([
  {},
  null,
  { minutes: -1 },
  { minutes: Number.NaN },
  { minutes: '1' },
  { weeks: 1 },
  { days: 4_000 },
  { days: Infinity },
])('rejects the duration %j', (duration) => {
  expect(() => durationMs(duration as Duration)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE' }));
});

it('accepts a time in the past', () => {
  expect(dueTimeOf({ at: new Date(5) })).toEqual({ at: 5 });
  expect(dueTimeOf({ at: new Date(-5) })).toEqual({ at: 0 });
});

it.each([
  {},
  { at: new Date(), after: { minutes: 1 } },
  { at: new Date(Number.NaN) },
  { at: '2030-01-01' },
  { at: new Date(Date.now() + 4_000 * 86_400_000) },
])('rejects the time %j', (options) => {
  expect(() => dueTimeOf(options as ScheduleOptions)).toThrow(
    expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE' }),
  );
});

it.each(['', 'a'.repeat(401), '$svc-recurring|x', 'a\0', '\ud800', 5])('rejects the key %j', (key) => {
  expect(() => scheduleKeyOf(key as string)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE' }));
});
