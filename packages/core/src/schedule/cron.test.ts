import { describe, expect, it } from 'vitest';
import { nextTime, requireRecurrence } from './cron.js';

function timesAfter(cron: string, timeZone: string, after: string, count: number): string[] {
  const times: string[] = [];
  for (let last = Date.parse(after); times.length < count;) {
    last = nextTime({ cron, timeZone }, last)!;
    times.push(new Date(last).toISOString());
  }
  return times;
}

describe('the times of a cron expression', () => {
  it.each([
    ['a time zone', '0 3 * * 1-5', 'America/New_York', '2026-01-02T12:00:00Z', ['2026-01-05T08:00:00.000Z']],
    ['six fields', '*/20 * * * * *', 'UTC', '2026-01-02T12:00:20Z', ['2026-01-02T12:00:40.000Z']],
    [
      'a time that the clocks skip in spring: an hour later',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'a time that the clocks repeat in autumn: once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'the hour that the clocks repeat in autumn: once',
      '0,30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-25T02:00:00.000Z'],
    ],
  ])('have %s', (_what, cron, timeZone, after, expected) => {
    expect(timesAfter(cron, timeZone, after, expected.length)).toEqual(expected);
  });
});

describe('an invalid recurrence', () => {
  it.each([
    ['@daily', 'UTC', 'five or six fields'],
    ['0 3 * *', 'UTC', 'five or six fields'],
    ['0  3 * * *', 'UTC', 'separated by one space'],
    ['61 3 * * *', 'UTC', 'is not a cron expression'],
    ['0 0 31 2 *', 'UTC', 'is never due'],
    ['0 3 * * *', 'Europe/Atlantis', 'is not a time zone'],
  ])('is rejected: %s in %s', (cron, timeZone, why) => {
    expect(() => requireRecurrence({ cron, timeZone }, 'CleanUp')).toThrow(
      expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE', message: expect.stringContaining(why) as string }),
    );
  });
});
