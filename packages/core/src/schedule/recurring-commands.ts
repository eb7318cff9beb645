import { ServiceError } from '../errors/index.js';
import { readOrThrow } from '../json/index.js';
import { newId, type MessageRegistry } from '../messages/index.js';
import {
  leasesOf,
  type EventLog,
  type ScheduledRecord,
  type ScheduleStorage,
  type StorageLeases,
} from '../storage/index.js';
import { nextTime, type Recurrence } from './cron.js';
import { recurringDeclarationOf } from './recurring.js';
import { recurringKey, recurringKeys } from './recurring-key.js';

/** The lease of the host that compares the stored recurring commands with its own. */
const lane = 'recurring commands';

/** How long a host waits for another one that compares. */
const pauseMs = 100;

/** A recurring command has no properties. */
const noProperties = '{}';

/** The commands of a service that recur, by their keys. */
export type RecurringCommands = ReadonlyMap<string, { readonly type: string; readonly recurrence: Recurrence }>;

/** The recurring commands among those of some types. Throws if one has required properties. */
export function recurringCommandsOf(messages: MessageRegistry, types: readonly string[]): RecurringCommands {
  const found = types.flatMap((type) => {
    const { class: declared, read } = messages.ofType(type);
    const recurrence = recurringDeclarationOf(declared);
    if (recurrence === undefined) return [];
    requireNoProperties(type, () => readOrThrow(read, {}));
    return [[recurringKey(type, recurrence), { type, recurrence }] as const];
  });
  return new Map(found);
}

/** What `storeRecurring` needs. */
export interface RecurringParts {
  readonly schedule: ScheduleStorage;
  readonly log: EventLog;
  readonly storage: { readonly leases?: StorageLeases };
  readonly commands: RecurringCommands;
  /** The time of the database. */
  readonly now: () => number;
}

/**
 * Schedules the recurring commands that are not scheduled, and removes those that are no longer declared. One host at a time does it. Returns how
 * long to wait before the next attempt; false: it is done.
 */
export async function storeRecurring({
  schedule,
  log,
  storage,
  commands,
  now,
}: RecurringParts): Promise<number | false> {
  const leases = leasesOf(storage);
  if (!(await leases.hold(lane))) return pauseMs;
  try {
    const stored = new Set((await schedule.readKeys('', ...recurringKeys)).map(({ key }) => key!));
    const gone = [...stored].filter((key) => !commands.has(key));
    const added = [...commands].flatMap(([key, { type, recurrence }]) => {
      const next = stored.has(key) ? null : nextTime(recurrence, now());
      return next === null ? [] : [recurringRecord(type, key, next)];
    });
    if (gone.length + added.length === 0) return false;
    const cancelled = [...gone, ...added.map(({ key }) => key!)].map((key) => ({ tenant: '', key }));
    await log.commit({
      events: [],
      outgoing: [],
      delivered: null,
      received: [],
      schedules: { settled: null, cancelled, added },
    });
    return false;
  } finally {
    await leases.release(lane);
  }
}

/** The next run of a recurring command. It has no cause. */
export function recurringRecord(type: string, key: string, at: number): ScheduledRecord {
  const id = newId();
  const message = { id, type, body: noProperties, timestamp: Date.now(), correlationId: id, causationId: null };
  return { message: { ...message, scope: null, metadata: {} }, due: { at }, key };
}

function requireNoProperties(type: string, read: () => unknown): void {
  try {
    read();
  } catch (cause) {
    throw new ServiceError(
      'SVC_INVALID_SCHEDULE',
      `${type} cannot recur: it has required properties, and svc has no values for them. Make them optional, or remove them.`,
      { cause },
    );
  }
}
