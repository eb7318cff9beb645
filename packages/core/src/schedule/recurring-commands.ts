import { ServiceError } from '../errors/index.js';
import { readOrThrow } from '../json/index.js';
import { newId, type MessageRegistry } from '../messages/index.js';
import {
  leasesOf,
  shortHash,
  type EventLog,
  type ScheduleChanges,
  type ScheduledRecord,
  type ScheduleStorage,
  type StorageLeases,
} from '../storage/index.js';
import { nextTime, type Recurrence } from './cron.js';
import { recurringDeclarationOf } from './recurring.js';
import { recurringKey, recurringKeys } from './recurring-key.js';

/** The lease of the host that changes the stored recurring commands. */
const lane = 'recurring commands';

/** Starts the lanes of `declaringLane`. */
const declaringLanes = `${lane}/`;

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

/** The lane of the hosts that declare these commands. While one of them holds it, hosts of other versions do not remove the commands. */
export function declaringLane(commands: RecurringCommands): string {
  return declaringLanes + shortHash([...commands.keys()].toSorted().join('\n'));
}

/**
 * Schedules the recurring commands that are not scheduled, and removes those that no running host declares. One host at a time does it. Returns how
 * long to wait before the next attempt; false: it is done.
 */
export async function storeRecurring(parts: RecurringParts): Promise<number | false> {
  const leases = leasesOf(parts.storage);
  // Usually there is nothing to do.
  if ((await missingChanges(parts)) === null) return false;
  if (!(await leases.hold(lane))) return pauseMs;
  try {
    const schedules = await missingChanges(parts);
    if (schedules === null) return false;
    await parts.log.commit({ events: [], outgoing: [], delivered: null, received: [], schedules });
    return false;
  } finally {
    await leases.release(lane);
  }
}

/** What has to be changed; null: nothing. */
async function missingChanges(parts: RecurringParts): Promise<ScheduleChanges | null> {
  const { schedule, commands, now } = parts;
  const stored = new Set((await schedule.readKeys('', ...recurringKeys)).map(({ key }) => key!));
  const undeclared = [...stored].filter((key) => !commands.has(key));
  const gone = undeclared.length > 0 && (await hasOtherVersions(parts)) ? [] : undeclared;
  const added = [...commands].flatMap(([key, { type, recurrence }]) => {
    const next = stored.has(key) ? null : nextTime(recurrence, now());
    return next === null ? [] : [recurringRecord(type, key, next)];
  });
  if (gone.length + added.length === 0) return null;
  const cancelled = [...gone, ...added.map(({ key }) => key!)].map((key) => ({ tenant: '', key }));
  return { settled: null, cancelled, added };
}

/** Whether hosts run that declare other recurring commands. Theirs may be among the stored ones. */
async function hasOtherVersions({ storage, commands }: RecurringParts): Promise<boolean> {
  const held = await leasesOf(storage).readHeld(declaringLanes);
  return held.some((lease) => lease.lane !== declaringLane(commands));
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
