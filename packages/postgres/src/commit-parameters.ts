import type { CommitRecord, PendingRecord, Uuid } from '@svc/core';

/** The parameters of the commit statement: events, streams, outgoing, delivered and received messages. */
export function commitParameters(records: readonly CommitRecord[]): string[] {
  const rows = { events: [], streams: [], outgoing: [], delivered: [], received: [] } as Rows;
  for (const [number, record] of records.entries()) {
    addEvents(rows, number, record.events);
    const alone = record.events.length === 0;
    for (const { id, lane, destination, message, event } of record.outgoing) {
      rows.outgoing.push({
        record: number,
        ordinal: rows.outgoing.length,
        id,
        lane,
        destination,
        message: message && JSON.stringify(message),
        event_id: event && event.id,
        alone,
      });
    }
    for (const id of record.delivered) rows.delivered.push({ record: number, id });
    for (const id of record.received) rows.received.push({ record: number, id });
  }
  const { events, streams, outgoing, delivered, received } = rows;
  return [events, streams, outgoing, delivered, received].map((list) =>
    list.length === 0 ? '[]' : JSON.stringify(list),
  );
}

type Rows = Record<'events' | 'streams' | 'outgoing' | 'delivered' | 'received', object[]>;

interface StreamRow {
  readonly record: number;
  readonly stream_id: Uuid;
  /** The position the stream must be at before the record; null: any. */
  required: number | null;
  count: number;
}

function addEvents(rows: Rows, record: number, events: readonly PendingRecord[]): void {
  const streams = new Map<Uuid, StreamRow>();
  for (const event of events) {
    let stream = streams.get(event.streamId);
    if (stream === undefined) {
      stream = { record, stream_id: event.streamId, required: null, count: 0 };
      streams.set(event.streamId, stream);
      rows.streams.push(stream);
    }
    if (event.expectedPosition !== undefined) require(stream, event.expectedPosition - stream.count);
    rows.events.push({
      record,
      ordinal: rows.events.length,
      id: event.id,
      stream_id: event.streamId,
      stream_offset: stream.count++,
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

/** No stream is ever there: for records that expect two positions of one stream at once. */
const nowhere = -2;

function require(stream: StreamRow, position: number): void {
  stream.required = stream.required === null || stream.required === position ? position : nowhere;
}
