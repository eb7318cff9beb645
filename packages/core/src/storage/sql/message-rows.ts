/** Converts rows of messages and idempotency keys to records. */
import type { DeadLetterRecord } from '../dead-letter-record.js';
import type { IdempotentResult } from '../idempotency-record.js';
import type { MessageRecord, StoredRecord } from '../event-record.js';
import type { OutboxLane, StoredOutgoing } from '../outgoing-record.js';
import type { SqlRow } from './sql-statement.js';

/** The outgoing message in a row of the outbox that is joined with the event it is about. */
export function toOutgoing<TRow extends SqlRow>(
  row: TRow,
  lane: OutboxLane,
  toRecord: (row: TRow) => StoredRecord,
): StoredOutgoing {
  const message = row['message'] as string | null;
  return {
    id: row['outgoing_id'],
    lane,
    destination: row['destination'],
    message: message === null ? null : (JSON.parse(message) as MessageRecord),
    note: row['note'],
    event: row['event_id'] === null ? null : toRecord(row),
  } as StoredOutgoing;
}

/** The column of such a row with the content: for a message about an event, the body of the event. */
export function contentColumn(row: SqlRow): 'message' | 'body' {
  return row['event_id'] === null ? 'message' : 'body';
}

/** The dead letter in a row. */
export function toDeadLetter(row: SqlRow): DeadLetterRecord {
  return JSON.parse(row['record'] as string) as DeadLetterRecord;
}

/** The idempotency key in a row, with the result of its request. */
export function toIdempotent(row: SqlRow): IdempotentResult {
  return {
    id: row['id'],
    requestHash: row['request_hash'],
    messageId: row['message_id'],
    result: row['result'],
    lastEventId: row['last_event_id'],
  } as IdempotentResult;
}
