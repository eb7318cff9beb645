import { SystemEventStream, type MessageRegistry } from '../messages/index.js';
import { LateRecord, type PendingRecord, type StoredOutgoing } from '../storage/index.js';
import { EventAuditedRecord } from './event-audited-record.js';
import { EventAudited } from './records/audit-events.js';

/** Converts a record in the outbox into the one to append to the system stream. */
export function systemEventRecord(outgoing: StoredOutgoing, messages: MessageRegistry): PendingRecord {
  const { id, message, event, note } = outgoing;
  if (message === null) return new EventAuditedRecord(id, event!, note!, messages.ofClass(EventAudited));
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
