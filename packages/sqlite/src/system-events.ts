import { newId, SystemEventStream, type Uuid } from '@svc/core';
import {
  firstIdOf,
  isInOrder,
  latestOf,
  observeId,
  RenewedRecord,
  systemEventRecord,
  toOutgoing,
  type CommitRecord,
  type EventRecord,
  type OutgoingRecord,
  type PendingRecord,
} from '@svc/core/storage';
import { insertAuditReference, insertEvent } from './insert-event.js';
import { Numbers } from './numbers.js';
import { readWaiting } from './outbox.js';
import { toRecord } from './rows.js';
import type { Statements } from './statements.js';

/** No commit is retried for as long as this. */
export const longestRetryMs = 3_600_000;

const noMetadata = Object.freeze({});

/** How many messages that wait in the outbox a commit appends before its own. */
const mostWaiting = 500;

/**
 * Appends the messages of a record for the system stream, and returns those that belong into the outbox. There is one writer at a time, so
 * system events need not wait. If older ones do, they are appended first.
 */
export function insertSystemEvents(sql: Statements, numbers: Numbers, record: CommitRecord): readonly OutgoingRecord[] {
  const { outgoing, events, systemAtOnce } = record;
  if (systemAtOnce !== true || !outgoing.some(isForSystem)) return outgoing;
  if (outgoing.some((one) => isAboutOther(one, events)) || !appendWaiting(sql, numbers)) {
    numbers.systemEventsQueued = true;
    return outgoing;
  }
  const system = new SystemStream(sql, numbers);
  for (const one of outgoing) {
    if (one.lane !== 'system') continue;
    if (one.message !== null) system.append(systemEventRecord({ ...one, event: null }));
    else
      system.appendAudit(
        one.id,
        events.find(({ id }) => id === one.eventId)!,
        one.note!,
      );
  }
  system.end();
  return outgoing.every(isForSystem) ? [] : outgoing.filter((one) => !isForSystem(one));
}

function isForSystem({ lane }: OutgoingRecord): boolean {
  return lane === 'system';
}

/** Whether a message is about an event of another commit. */
function isAboutOther({ lane, message, eventId }: OutgoingRecord, events: readonly PendingRecord[]): boolean {
  return lane === 'system' && message === null && !events.some(({ id }) => id === eventId);
}

/** Appends the messages that wait for the system stream, if they are few. Returns whether none is left. */
function appendWaiting(sql: Statements, numbers: Numbers): boolean {
  if (!numbers.systemEventsWait) return true;
  append(sql, numbers, mostWaiting);
  return !numbers.systemEventsWait;
}

/** Moves the oldest messages that wait for the system stream from the outbox to the stream. Returns how many of each type. */
export function deliverSystemEvents(sql: Statements, limit: number): ReadonlyMap<string, number> {
  const delivered = new Map<string, number>();
  for (const { type } of append(sql, new Numbers(sql, [], [SystemEventStream.streamId]), limit)) {
    delivered.set(type, (delivered.get(type) ?? 0) + 1);
  }
  return delivered;
}

function append(sql: Statements, numbers: Numbers, limit: number): readonly PendingRecord[] {
  const waiting = readWaiting(sql, 'system', limit).map((row) => toOutgoing(row, 'system', toRecord));
  const events = waiting.map(systemEventRecord);
  const system = new SystemStream(sql, numbers);
  for (const event of events) system.append(event);
  system.end();
  sql.deleteOutgoing.run(JSON.stringify(waiting.map(({ id }) => id)));
  return events;
}

/** The system stream in a transaction. Events get new ids where they do not ascend: their order is known only now. */
class SystemStream {
  readonly #sql: Statements;
  readonly #numbers: Numbers;
  readonly #renewed: Uuid[] = [];

  constructor(sql: Statements, numbers: Numbers) {
    this.#sql = sql;
    this.#numbers = numbers;
  }

  append(event: PendingRecord): void {
    const id = this.#idFor(event);
    insertEvent(this.#sql, id === event.id ? event : RenewedRecord.of(event, id), this.#numbers);
  }

  /** Appends the audit record of an event of the same transaction. */
  appendAudit(queuedId: Uuid, event: EventRecord, note: string): void {
    const id = this.#idFor({ id: queuedId, metadata: noMetadata });
    insertAuditReference(this.#sql, this.#numbers, { id, event, note });
  }

  /** Stores the previous ids of events with a new id, so that a repeated commit finds them. */
  end(): void {
    insertRenewed(this.#sql, this.#renewed);
  }

  #idFor(event: Pick<EventRecord, 'id' | 'metadata'>): Uuid {
    const latest = latestOf(this.#numbers.latestIn(SystemEventStream.streamId), this.#numbers.latestReceived(event.id));
    if (latest === null || isInOrder(event, latest)) return event.id;
    observeId(latest);
    this.#renewed.push(event.id);
    return newId();
  }
}

/** Stores the previous ids of system events with a new id, and deletes old ones. */
export function insertRenewed(sql: Statements, ids: readonly Uuid[]): void {
  if (ids.length === 0) return;
  sql.insertRenewed.run(JSON.stringify(ids));
  sql.forgetRenewed.run(firstIdOf(Date.now() - longestRetryMs));
}
