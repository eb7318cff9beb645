import { plainMessage, type CommitRecord, type IdempotencyRecord, type PendingRecord, type Uuid } from '@svc/core';
import { commitAllRecords, commitEvent, commitEvents, commitRecords } from './commit-statement.js';

/** The statement that keeps a batch of records, with its parameters. */
export interface CommitQuery {
  readonly name: string;
  readonly text: string;
  readonly values: (string | number | null)[];
}

/** The query for a record of one event and nothing else; null for all others. */
export function singleEventQuery(records: readonly CommitRecord[]): CommitQuery | null {
  const [record] = records;
  if (record === undefined || records.length > 1) return null;
  const { events, outgoing, delivered, received, idempotency, deadLetters, resolved } = record;
  if (idempotency !== undefined || deadLetters !== undefined || resolved !== undefined) return null;
  const [event] = events;
  if (event === undefined || events.length + outgoing.length + received.length > 1 || delivered !== null) return null;
  const values = [
    event.id,
    event.streamId,
    event.expectedPosition ?? null,
    event.type,
    event.body,
    event.timestamp,
    event.correlationId,
    event.causationId,
    event.scope && JSON.stringify(event.scope),
    JSON.stringify(event.metadata),
  ];
  return { name: 'svc-commit-event', text: commitEvent, values };
}

/** The query for any batch. */
export function commitQuery(records: readonly CommitRecord[]): CommitQuery {
  const rows: Rows = { events: [], outgoing: [], delivered: [], received: [], keys: [], deadLetters: [], resolved: [] };
  for (const [number, record] of records.entries()) {
    addEvents(rows, number, record.events);
    const alone = record.events.length === 0;
    for (const { id, lane, destination, message, note, eventId } of record.outgoing) {
      rows.outgoing.push({
        record: number,
        ordinal: rows.outgoing.length,
        id,
        lane,
        destination,
        message: message && JSON.stringify(plainMessage(message)),
        note,
        event_id: eventId,
        alone,
      });
    }
    for (const id of record.delivered?.ids ?? []) rows.delivered.push({ record: number, id });
    for (const id of record.received) rows.received.push({ record: number, id });
    addRareParts(rows, number, record);
  }
  const { events, outgoing, delivered, received, keys, deadLetters, resolved } = rows;
  if (keys.length > 0 || deadLetters.length > 0 || resolved.length > 0) {
    const lists = [events, outgoing, delivered, received, keys, deadLetters, resolved];
    const values = lists.map((list) => JSON.stringify(list));
    return { name: 'svc-commit-all-records', text: commitAllRecords, values };
  }
  if (outgoing.length === 0 && delivered.length === 0 && received.length === 0) {
    return { name: 'svc-commit-events', text: commitEvents, values: [JSON.stringify(events)] };
  }
  const values = [events, outgoing, delivered, received].map((list) => JSON.stringify(list));
  return { name: 'svc-commit-records', text: commitRecords, values };
}

type Part = 'events' | 'outgoing' | 'delivered' | 'received' | 'keys' | 'deadLetters' | 'resolved';
type Rows = Record<Part, object[]>;

/** What most records do not have. */
function addRareParts(rows: Rows, record: number, { idempotency, deadLetters, resolved }: CommitRecord): void {
  if (idempotency !== undefined) rows.keys.push(keyRow(record, idempotency));
  for (const letter of deadLetters ?? []) {
    const { id, direction, cause, message } = letter;
    rows.deadLetters.push({ record, id, direction, cause, message_id: message.id, letter: JSON.stringify(letter) });
  }
  if (resolved !== undefined) rows.resolved.push({ record, id: resolved });
}

function keyRow(record: number, { id, requestHash, messageId, result }: IdempotencyRecord): object {
  return { record, id, request_hash: requestHash, message_id: messageId, result };
}

function addEvents(rows: Rows, record: number, events: readonly PendingRecord[]): void {
  const counts = events.length === 1 ? null : new Map<Uuid, number>();
  for (const event of events) {
    const offset = counts?.get(event.streamId) ?? 0;
    counts?.set(event.streamId, offset + 1);
    rows.events.push({
      record,
      ordinal: rows.events.length,
      id: event.id,
      stream_id: event.streamId,
      stream_offset: offset,
      // Where the stream must be before the record.
      required: event.expectedPosition === undefined ? null : event.expectedPosition - offset,
      type: event.type,
      body: event.body,
      timestamp: event.timestamp,
      correlation_id: event.correlationId,
      causation_id: event.causationId,
      scope: event.scope && JSON.stringify(event.scope),
      metadata: JSON.stringify(event.metadata),
    });
  }
}
