import { ServiceError } from '../errors/index.js';
import type { DueTime } from '../storage/index.js';
import { durationMs, longestDurationMs, type Duration } from './duration.js';

/** When a scheduled command runs. */
export type ScheduleTime =
  | {
      /** The time at which the command is due, at most ten years ahead. A time in the past means at once. */
      readonly at: Date;
      readonly after?: never;
    }
  | {
      /** How long after the commit the command is due, by the clock of the database. */
      readonly after: Duration;
      readonly at?: never;
    };

/** When a scheduled command runs, and its key. */
export type ScheduleOptions = ScheduleTime & {
  /**
   * Identifies the command within its tenant: a scheduled command with the same key is replaced, and `cancelScheduled` removes it. At most 400
   * characters. Default: none.
   */
  readonly key?: string;
};

const longestKey = 400;

/** Starts the keys that only svc uses. */
export const reservedKeyPrefix = '$svc-';

/** Starts the keys of recurring commands. */
export const recurringKeyPrefix = `${reservedKeyPrefix}recurring|`;

/** Whether a scheduled command with a key recurs. */
export function isRecurringKey(key: string | null): key is string {
  return key !== null && key.startsWith(recurringKeyPrefix);
}

/** When a command is due. Throws if the options are invalid. */
export function dueTimeOf({ at, after }: ScheduleTime): DueTime {
  if ((at === undefined) === (after === undefined)) throw invalid('it needs either at or after', pass);
  if (after !== undefined) return { afterMs: durationMs(after) };
  const time = at instanceof Date ? at.getTime() : Number.NaN;
  if (Number.isNaN(time))
    throw invalid('at is not a valid Date', "Pass a Date, such as new Date('2030-01-31T12:00:00Z')");
  if (time > Date.now() + longestDurationMs)
    throw invalid(
      'at is more than ten years ahead',
      'Pass an earlier time, or schedule a command that schedules this one later',
    );
  return { at: Math.max(0, time) };
}

/** Returns a key that application code passes. Throws if it is invalid. */
export function scheduleKeyOf(key: string): string {
  if (typeof key !== 'string' || key === '') throw invalid('the key is empty or not a string', passKey);
  if (key.length > longestKey)
    throw invalid(`the key has more than ${longestKey} characters`, 'Pass a shorter key, such as a hash of it');
  if (key.startsWith(reservedKeyPrefix))
    throw invalid(`keys that start with ${reservedKeyPrefix} are reserved for svc`, passKey);
  // PostgreSQL stores neither.
  if (key.includes('\0') || !key.isWellFormed()) {
    throw invalid('the key contains U+0000 or half of a surrogate pair', passKey);
  }
  return key;
}

const pass = 'Pass { after: { minutes: 30 } }, or { at: new Date(…) }';
const passKey = "Pass a key such as 'order-17'";

function invalid(why: string, advice: string): ServiceError {
  return new ServiceError('SVC_INVALID_SCHEDULE', `Cannot schedule or cancel a command: ${why}. ${advice}.`);
}
