import { Cron } from 'croner';
import { ServiceError } from '../errors/index.js';

/** When a recurring command is due. */
export interface Recurrence {
  /** Five fields, or six that start with seconds. */
  readonly cron: string;
  /** The name of a time zone, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** Throws if the expression or the time zone is invalid, or if there is no next time. */
export function requireRecurrence({ cron, timeZone }: Recurrence, command: string): void {
  const invalid = (why: string, cause?: unknown): ServiceError =>
    new ServiceError(
      'SVC_INVALID_SCHEDULE',
      `@recurring of ${command} is invalid: ${why}. Pass options such as { cron: '0 3 * * *', timeZone: 'Europe/Berlin' }.`,
      { cause },
    );
  // croner accepts names such as @daily and a field for years. Both have other limits than the generator checks.
  if (typeof cron !== 'string' || !/^\S+(?: \S+){4,5}$/.test(cron))
    throw invalid('cron is not an expression of five or six fields, separated by one space');
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch (cause) {
    throw invalid(`${JSON.stringify(timeZone)} is not a time zone`, cause);
  }
  let next: number | null;
  try {
    next = nextTime({ cron, timeZone }, Date.now());
  } catch (cause) {
    throw invalid(`${JSON.stringify(cron)} is not a cron expression`, cause);
  }
  if (next === null) throw invalid(`${JSON.stringify(cron)} is never due`);
}

/** The first time after `after`; both in milliseconds since 1970. Null: there is none. */
export function nextTime({ cron, timeZone }: Recurrence, after: number): number | null {
  return new Cron(cron, { timezone: timeZone }).nextRun(new Date(after))?.getTime() ?? null;
}
