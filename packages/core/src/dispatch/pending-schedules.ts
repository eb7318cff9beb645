import {
  scheduleKeyText,
  tenantOfCommand,
  type ScheduleChanges,
  type ScheduledRecord,
  type ScheduleKey,
} from '../storage/index.js';

/** The scheduled commands that a unit of work adds and cancels. Later changes of a key replace earlier ones. */
export class PendingSchedules {
  readonly #cancelled = new Map<string, ScheduleKey>();
  /** By their keys, or by their ids. */
  readonly #added = new Map<string, ScheduledRecord>();

  add(record: ScheduledRecord): void {
    const { key, message } = record;
    if (key === null) {
      this.#added.set(message.id, record);
      return;
    }
    const scheduleKey = { tenant: tenantOfCommand(message), key };
    this.cancel(scheduleKey);
    this.#added.set(scheduleKeyText(scheduleKey), record);
  }

  cancel(key: ScheduleKey): void {
    const text = scheduleKeyText(key);
    this.#cancelled.set(text, key);
    this.#added.delete(text);
  }

  /** Adds the changes of a nested unit of work, which come after those of this one. */
  addNested(nested: PendingSchedules): void {
    for (const key of nested.#cancelled.values()) this.cancel(key);
    for (const [key, record] of nested.#added) this.#added.set(key, record);
  }

  get changes(): ScheduleChanges {
    return { settled: null, cancelled: [...this.#cancelled.values()], added: [...this.#added.values()] };
  }
}

/** The changes of a unit of work together with those that are committed along with it; undefined: there are none. */
export function combinedSchedules(
  own: PendingSchedules | undefined,
  along: ScheduleChanges | undefined,
): ScheduleChanges | undefined {
  if (own === undefined || along === undefined) return along ?? own?.changes;
  const { cancelled, added } = own.changes;
  return {
    settled: along.settled,
    cancelled: [...along.cancelled, ...cancelled],
    added: [...along.added, ...added],
  };
}
