import { afterEach, expect, it, vi } from 'vitest';
import { durationMs, longestDurationMs, type Duration } from './duration.js';
import {
  dueTimeOf,
  isRecurringKey,
  recurringKeyPrefix,
  scheduleKeyOf,
  type ScheduleOptions,
} from './schedule-options.js';

afterEach(() => void vi.useRealTimers());

it('adds the parts of a duration', () => {
  expect(durationMs({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 })).toBe(93_784_005);
  expect(durationMs({ minutes: 0.5 })).toBe(30_000);
  expect(durationMs({ seconds: 0 })).toBe(0);
  expect(durationMs({ hours: undefined, minutes: 1 } as object)).toBe(60_000);
});

it('accepts ten years at most', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(durationMs({ days: 3_653 })).toBe(longestDurationMs);
  expect(() => durationMs({ days: 3_653, milliseconds: 1 })).toThrow(
    'The duration is invalid: it is longer than ten years. Pass a shorter one.',
  );
  const latest = Date.now() + longestDurationMs;
  expect(dueTimeOf({ at: new Date(latest) })).toEqual({ at: latest });
  expect(() => dueTimeOf({ at: new Date(latest + 1) })).toThrow(
    'Cannot schedule or cancel a command: at is more than ten years ahead. Pass an earlier time, or schedule a command that schedules this one later.',
  );
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

it('accepts a key of up to 400 characters', () => {
  for (const key of ['k', 'a'.repeat(400), 'svc-$svc-', 'ä🙂']) expect(scheduleKeyOf(key)).toBe(key);
});

it('knows the keys of recurring commands', () => {
  expect([`${recurringKeyPrefix}x`, `x${recurringKeyPrefix}`, '$svc-x', null].map(isRecurringKey)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it.each(['', 'a'.repeat(401), '$svc-recurring|x', 'a\0', '\ud800', 5])('rejects the key %j', (key) => {
  expect(() => scheduleKeyOf(key as string)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE' }));
});
