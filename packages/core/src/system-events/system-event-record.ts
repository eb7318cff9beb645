import { SystemEventStream } from '../messages/index.js';
import { LateRecord, type PendingRecord, type StoredOutgoing } from '../storage/index.js';
import { EventAuditedRecord, type AuditedEvent } from './event-audited-record.js';

/** A message for the system stream, and the event that it is about. */
export interface SystemMessage extends Pick<StoredOutgoing, 'id' | 'message' | 'note'> {
  readonly event: AuditedEvent | null;
}

/** Converts a message for the system stream into the event to append. */
export function systemEventRecord({ id, message, event, note }: SystemMessage): PendingRecord {
  if (message === null) return new EventAuditedRecord(id, event!, note!);
  if (message instanceof LateRecord) return message;
  const { type, body, timestamp, correlationId, causationId, scope, metadata } = message;
  const { streamId } = SystemEventStream;
  return {
    id,
    type,
    streamId,
    body,
    timestamp,
    correlationId,
    causationId,
    scope,
    metadata,
    expectedPosition: undefined,
  };
}
