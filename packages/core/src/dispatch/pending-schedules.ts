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
  #added: ScheduledRecord[] = [];

  add(record: ScheduledRecord): void {
    const { key, message } = record;
    if (key !== null) this.cancel({ tenant: tenantOfCommand(message), key });
    this.#added.push(record);
  }

  cancel(key: ScheduleKey): void {
    const text = scheduleKeyText(key);
    this.#cancelled.set(text, key);
    this.#added = this.#added.filter(
      (one) => one.key === null || scheduleKeyText({ tenant: tenantOfCommand(one.message), key: one.key }) !== text,
    );
  }

  /** Adds the changes of a nested unit of work, which come after those of this one. */
  addNested(nested: PendingSchedules): void {
    for (const key of nested.#cancelled.values()) this.cancel(key);
    this.#added.push(...nested.#added);
  }

  get changes(): ScheduleChanges {
    return { settled: null, cancelled: [...this.#cancelled.values()], added: this.#added };
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
