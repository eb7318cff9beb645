import {
  ConcurrencyConflictError,
  DuplicateEventError,
  MessageSettledError,
  type CommitRecord,
  type PendingRecord,
  type Uuid,
} from '@svc/core';
import type { Statements } from './statements.js';

/**
 * Keeps one record inside a transaction. Everything is looked at before anything is written: when it throws, nothing of the record
 * is there, and the records around it stay.
 */
export function keepRecord(sql: Statements, record: CommitRecord, nextSequence: () => number): void {
  const { events, outgoing, delivered, received } = record;
  if (isKept(sql, record)) return;
  const positions = positionsOf(sql, events);
  for (const id of delivered) if (sql.isWaiting.get(id) === undefined) throw new MessageSettledError(id);
  for (const id of received) if (sql.isReceived.get(id) !== undefined) throw new MessageSettledError(id);

  for (const [i, event] of events.entries()) insertEvent(sql, event, positions[i]!, nextSequence());
  for (const id of delivered) sql.deleteOutgoing.run(id);
  for (const { id, lane, destination, message, event } of outgoing) {
    sql.insertOutgoing.run(id, lane, destination, message && JSON.stringify(message), event && event.id);
  }
  for (const id of received) sql.insertReceived.run(id, Date.now());
}

/** Whether the record was kept before: the ids of all its events say so, or, when it has none, those of its messages. */
function isKept(sql: Statements, { events, outgoing }: CommitRecord): boolean {
  if (events.length === 0) {
    const isKnown = ({ id }: { id: Uuid }): boolean =>
      sql.isWaiting.get(id) !== undefined || sql.streamOfEvent.get(id) !== undefined;
    return outgoing.length > 0 && outgoing.every(isKnown);
  }
  let first: Uuid | undefined;
  let same = 0;
  for (const { id, streamId } of events) {
    const kept = sql.streamOfEvent.get(id);
    if (kept === undefined) continue;
    first ??= id;
    if (kept['stream_id'] === streamId) same++;
  }
  if (first !== undefined && same < events.length) throw new DuplicateEventError(first);
  return first !== undefined;
}

/** The position of each event; those of the same record count for those behind them. */
function positionsOf(sql: Statements, events: readonly PendingRecord[]): number[] {
  const reached = new Map<Uuid, number>();
  return events.map(({ streamId, expectedPosition }) => {
    const last = reached.get(streamId) ?? lastPosition(sql, streamId);
    if (expectedPosition !== undefined && expectedPosition !== last) {
      throw new ConcurrencyConflictError(streamId, expectedPosition, last);
    }
    reached.set(streamId, last + 1);
    return last + 1;
  });
}

export function lastPosition(sql: Statements, streamId: Uuid): number {
  return (sql.lastPosition.get(streamId)?.['position'] ?? -1) as number;
}

function insertEvent(sql: Statements, event: PendingRecord, position: number, sequence: number): void {
  sql.insertEvent.run(
    sequence,
    event.id,
    event.streamId,
    position,
    event.type,
    event.body,
    event.timestamp,
    event.correlationId,
    event.causationId,
    event.scope && JSON.stringify(event.scope),
    JSON.stringify(event.metadata),
  );
}
