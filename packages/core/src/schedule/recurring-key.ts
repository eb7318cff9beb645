import { reservedKeyPrefix } from '../dispatch/index.js';
import type { Recurrence } from './cron.js';

/** The keys of recurring commands contain when they recur: a changed declaration has another key. */
const prefix = `${reservedKeyPrefix}recurring|`;

/** The range of the keys: from the first on, below the second. */
export const recurringKeys = [prefix, `${reservedKeyPrefix}recurring}`] as const;

export function recurringKey(type: string, { cron, timeZone }: Recurrence): string {
  return `${prefix}${type}|${timeZone}|${cron}`;
}

/** Whether a scheduled command with a key recurs. */
export function isRecurringKey(key: string | null): key is string {
  return key !== null && key.startsWith(prefix);
}

/** When the command with a key recurs; null: it does not recur. */
export function recurrenceOfKey(key: string | null): Recurrence | null {
  if (!isRecurringKey(key)) return null;
  const [, timeZone = '', cron = ''] = key.slice(prefix.length).split('|');
  return { timeZone, cron };
}
