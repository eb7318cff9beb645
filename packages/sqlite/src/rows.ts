import {
  scopeOfText,
  type DeadLetterRecord,
  type IdempotencyRecord,
  type MessageRecord,
  type OutboxLane,
  type StoredOutgoing,
  type StoredRecord,
} from '@svc/core/storage';
import type { Row } from './engine.js';

export function toRecord(row: Row): StoredRecord {
  return {
    id: row['id'],
    type: row['type'],
    streamId: row['stream_id'],
    body: row['body'],
    timestamp: row['timestamp'],
    correlationId: row['correlation_id'],
    causationId: row['causation_id'],
    scope: row['scope'] === null ? null : scopeOfText(row['scope'] as string),
    metadata: JSON.parse(row['metadata'] as string) as unknown,
    position: row['position'],
    sequence: row['sequence'],
  } as StoredRecord;
}

export function toOutgoing(row: Row, lane: OutboxLane): StoredOutgoing {
  return {
    id: row['outgoing_id'],
    lane,
    destination: row['destination'],
    message: row['message'] === null ? null : (JSON.parse(row['message'] as string) as MessageRecord),
    note: row['note'],
    event: row['event_id'] === null ? null : toRecord(row),
  } as StoredOutgoing;
}

export function toDeadLetter(row: Row): DeadLetterRecord {
  return JSON.parse(row['record'] as string) as DeadLetterRecord;
}

export function toIdempotent(row: Row): IdempotencyRecord {
  return {
    id: row['id'],
    requestHash: row['request_hash'],
    messageId: row['message_id'],
    result: row['result'],
  } as IdempotencyRecord;
}
