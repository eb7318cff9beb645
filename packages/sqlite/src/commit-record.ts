import { ConcurrencyConflictError, ServiceError, type Uuid } from '@svc/core';
import {
  DuplicateEventError,
  ForeignStreamError,
  IdempotencyKeyInUseError,
  isInOrder,
  isReceived,
  LateEventError,
  latestOf,
  MessageSettledError,
  ReactionTakenOverError,
  renewedIn,
  tenantOfEvent,
  type CommitOutcome,
  type CommitRecord,
  type DeadLetterRecord,
  type PendingRecord,
  type ProcessStep,
  type ReactedEvent,
} from '@svc/core/storage';
import { insertEvent } from './insert-event.js';
import type { Numbers } from './numbers.js';
import { insertOutgoing } from './outbox.js';
import { commitSchedules, requireScheduled } from './schedule-changes.js';
import type { Statements } from './statements.js';
import { insertRenewed, insertSystemEvents } from './system-events.js';

export interface CommitRecordOptions {
  readonly numbers: Numbers;
  /**
   * Whether to search for stored events with the same id. That costs 10 % of a commit and almost never finds one, so the first attempt relies
   * on the unique constraint, which ends the transaction.
   */
  readonly careful: boolean;
}

/** Commits one record inside a transaction. A rejection concerns this record; any other error ends the transaction. */
export function outcomeOf(sql: Statements, record: CommitRecord, options: CommitRecordOptions): CommitOutcome {
  try {
    commitRecord(sql, record, options);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/**
 * Commits one record inside a transaction. Checks everything before it writes anything: if it throws a `ServiceError`, nothing of the record
 * is written, and the other records of the transaction are not affected.
 */
export function commitRecord(sql: Statements, record: CommitRecord, { numbers, careful }: CommitRecordOptions): void {
  const { events, outgoing, delivered, received, idempotency, deadLetters, resolved, schedules, reacted, step } =
    record;
  if ((careful || events.length === 0) && isCommitted(sql, record)) return;
  try {
    requireFreeKey(sql, record);
    requireUnsettled(sql, record);
    if (careful) requireUnknown(sql, events);
    requireTenants(numbers, events);
    requirePositions(numbers, events);
    requireOrder(numbers, events);
  } catch (rejection) {
    // A record that was committed before conflicts with itself.
    if (isCommitted(sql, record)) return;
    // With new ids, an event that is already stored would not be detected.
    if (rejection instanceof LateEventError) requireUnknown(sql, events);
    throw rejection;
  }
  for (const event of events) insertEvent(sql, event, numbers);
  if (delivered !== null) {
    sql.deleteOutgoing.run(JSON.stringify(delivered.ids));
    insertRenewed(sql, renewedIn(record));
  }
  if (outgoing.length > 0) insertOutgoing(sql, numbers, insertSystemEvents(sql, numbers, record));
  if (received.length > 0) {
    sql.insertReceived.run(Date.now(), JSON.stringify(received));
    numbers.received(received);
  }
  if (idempotency !== undefined) {
    const { id, requestHash, messageId, result } = idempotency;
    sql.insertIdempotent.run(id, requestHash, messageId, result, Date.now(), events.at(-1)?.id ?? null);
  }
  for (const letter of deadLetters ?? []) insertDeadLetter(sql, letter);
  if (resolved !== undefined) sql.deleteDeadLetter.run(resolved);
  if (schedules !== undefined) commitSchedules(sql, schedules);
  if (reacted !== undefined) sql.insertReacted.run(reacted.reaction, reacted.eventId);
  if (step !== undefined) commitStep(sql, step);
}

function commitStep(sql: Statements, step: ProcessStep): void {
  const { streamId, process, tenant, key, at, isIgnored, completes } = step;
  sql.commitStep.run(streamId, process, tenant, key, Number(isIgnored), at, Number(completes));
}

function insertDeadLetter(sql: Statements, letter: DeadLetterRecord): void {
  const { id, direction, cause, message } = letter;
  sql.insertDeadLetter.run(id, direction, cause, message.id, JSON.stringify(letter));
}

function requireFreeKey(sql: Statements, { idempotency }: CommitRecord): void {
  if (idempotency !== undefined && sql.commandUnderKey.get(idempotency.id) !== undefined) {
    throw new IdempotencyKeyInUseError();
  }
}

function requireUnsettled(sql: Statements, { delivered, received, resolved, schedules, reacted }: CommitRecord): void {
  if (schedules !== undefined) requireScheduled(sql, schedules);
  if (reacted !== undefined) requireUnreacted(sql, reacted);
  if (resolved !== undefined && sql.isDeadLetter.get(resolved) === undefined) throw new MessageSettledError(resolved);
  // Records have hundreds of messages, so they are checked one by one only if one of them causes a conflict.
  const ids = delivered?.ids ?? [];
  if (ids.length > 0 && sql.countWaiting.get(JSON.stringify(ids))!['waiting'] !== ids.length) {
    for (const id of ids) if (sql.isWaiting.get(id) === undefined) throw new MessageSettledError(id);
  }
  if (received.length > 0 && sql.countReceived.get(JSON.stringify(received))!['received'] !== 0) {
    for (const id of received) if (sql.isReceived.get(id) !== undefined) throw new MessageSettledError(id);
  }
}

function requireUnreacted(sql: Statements, { reaction, segment, term, eventId }: ReactedEvent): void {
  if (sql.isReacted.get(reaction, eventId) !== undefined) throw new MessageSettledError(eventId);
  if (sql.isInTerm.get(reaction, segment, term) === undefined) throw new ReactionTakenOverError(reaction);
}

/**
 * Whether the record was committed before: its idempotency key is stored, or all its events are, or, if it has no events, all its
 * messages.
 */
function isCommitted(sql: Statements, { events, outgoing, idempotency, schedules }: CommitRecord): boolean {
  if (idempotency !== undefined) {
    return sql.commandUnderKey.get(idempotency.id)?.['message_id'] === idempotency.messageId;
  }
  if (events.length > 0) {
    return events.every(({ id, streamId }) => sql.streamOfEvent.get(id)?.['stream_id'] === streamId);
  }
  const isKnown = ({ id }: { id: Uuid }): boolean =>
    [sql.isWaiting, sql.streamOfEvent, sql.isRenewed, sql.isScheduled].some(
      (statement) => statement.get(id) !== undefined,
    );
  const messages = [...outgoing, ...(schedules?.added.map(({ message }) => message) ?? [])];
  return messages.length > 0 && messages.every(isKnown);
}

function requireUnknown(sql: Statements, events: readonly PendingRecord[]): void {
  for (const { id } of events) if (sql.streamOfEvent.get(id) !== undefined) throw new DuplicateEventError(id);
}

/** Requires that existing streams belong to the tenants of their events, for events that request the check. */
function requireTenants(numbers: Numbers, events: readonly PendingRecord[]): void {
  for (const event of events) {
    if (event.sameTenant !== true) continue;
    const owner = numbers.tenantOf(event.streamId);
    if (owner !== null && owner !== tenantOfEvent(event)) throw new ForeignStreamError(event.streamId);
  }
}

/** Requires that streams are at their expected positions. Previous events of the same record count. */
function requirePositions(numbers: Numbers, events: readonly PendingRecord[]): void {
  if (events.every(({ expectedPosition }) => expectedPosition === undefined)) return;
  const reached = new Map<Uuid, number>();
  for (const { streamId, expectedPosition } of events) {
    const last = reached.get(streamId) ?? numbers.lastPosition(streamId);
    if (expectedPosition !== undefined && expectedPosition !== last) {
      throw new ConcurrencyConflictError(streamId, expectedPosition, last);
    }
    reached.set(streamId, last + 1);
  }
}

/** Requires that ids ascend with positions in a stream, even if the clocks of hosts differ. */
function requireOrder(numbers: Numbers, events: readonly PendingRecord[]): void {
  const late = new Map<Uuid, Uuid>();
  for (const event of events) {
    const latest = latestOf(
      numbers.latestIn(event.streamId),
      isReceived(event) ? null : numbers.latestReceived(event.id),
    );
    if (latest !== null && !isInOrder(event, latest)) late.set(event.streamId, latest);
  }
  if (late.size > 0) throw new LateEventError(late);
}
