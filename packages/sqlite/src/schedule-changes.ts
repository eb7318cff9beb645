import { MessageSettledError, plainMessage, tenantOfCommand, type ScheduleChanges } from '@svc/core/storage';
import type { Statements } from './statements.js';
import { insertRenewed } from './system-events.js';

export function requireScheduled(sql: Statements, { settled }: ScheduleChanges): void {
  if (settled !== null && sql.isScheduled.get(settled) === undefined) throw new MessageSettledError(settled);
}

export function commitSchedules(sql: Statements, { settled, cancelled, added }: ScheduleChanges): void {
  if (settled !== null) {
    sql.deleteScheduled.run(settled);
    // A commit that scheduled it and is retried must not schedule it again.
    insertRenewed(sql, [settled]);
  }
  for (const { tenant, key } of cancelled) sql.deleteScheduledKey.run(tenant, key);
  for (const { message, due, key } of added) {
    const dueAt = 'at' in due ? due.at : Date.now() + due.afterMs;
    const text = JSON.stringify(plainMessage(message));
    sql.insertScheduled.run(message.id, tenantOfCommand(message), key, message.type, text, Math.ceil(dueAt));
  }
}
