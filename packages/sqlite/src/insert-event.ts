import { SystemEventStream, type Uuid } from '@svc/core';
import { scopeText, type EventRecord, type PendingRecord } from '@svc/core/storage';
import type { Numbers } from './numbers.js';
import type { Statements } from './statements.js';

/** Appends an event to its stream. An audit record is stored by reference. */
export function insertEvent(sql: Statements, event: PendingRecord, numbers: Numbers): void {
  const sequence = numbers.nextSequence();
  const position = numbers.nextPosition(event);
  const { id, timestamp, correlationId, causationId, auditNote } = event;
  if (auditNote !== undefined) {
    sql.insertAuditReference.get(sequence, id, position, timestamp, correlationId, causationId, auditNote);
    return;
  }
  const { streamId, type, body, scope, metadata } = event;
  sql.insertEvent.get(
    sequence,
    id,
    streamId,
    position,
    type,
    body,
    timestamp,
    correlationId,
    causationId,
    scope && scopeText(scope),
    JSON.stringify(metadata),
  );
}

/** The audit record of an event of the same transaction. */
export interface AuditReference {
  readonly id: Uuid;
  readonly event: EventRecord;
  readonly note: string;
}

/** Appends an audit record to the system stream, by reference. */
export function insertAuditReference(sql: Statements, numbers: Numbers, { id, event, note }: AuditReference): void {
  const position = numbers.nextPosition({ id, streamId: SystemEventStream.streamId, scope: null, metadata: {} });
  const { timestamp, correlationId } = event;
  sql.insertAuditReference.get(numbers.nextSequence(), id, position, timestamp, correlationId, event.id, note);
}
