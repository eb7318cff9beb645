import { isRecurringKey, recurringKeyPrefix, reservedKeyPrefix } from '../dispatch/index.js';
import type { Recurrence } from './cron.js';

/** The range of the keys: from the first on, below the second. */
export const recurringKeys = [recurringKeyPrefix, `${reservedKeyPrefix}recurring}`] as const;

/** The key of a recurring command contains when it recurs: a changed declaration has another key. */
export function recurringKey(type: string, { cron, timeZone }: Recurrence): string {
  return `${recurringKeyPrefix}${type}|${timeZone}|${cron}`;
}

/** When the command with a key recurs; null: it does not recur. */
export function recurrenceOfKey(key: string | null): Recurrence | null {
  if (!isRecurringKey(key)) return null;
  const [, timeZone = '', cron = ''] = key.slice(recurringKeyPrefix.length).split('|');
  return { timeZone, cron };
}
