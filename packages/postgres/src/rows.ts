import { type EnvelopeScope } from '@svc/core';
import { scopeOfText, streamTenantKey, type LogPlace, type StoredRecord } from '@svc/core/storage';
import { unlessLarge } from './large-bodies.js';

/** The tenant that an event counts for, as core's `tenantOfEvent` has it. Metadata without the name are not parsed: see `lastEventOf`. */
export function tenantOf(event: string): string {
  const ofStream = `CASE WHEN ${event}.metadata::text LIKE '%"${streamTenantKey}"%' THEN ${event}.metadata->>'${streamTenantKey}' END`;
  return `coalesce(${ofStream}, ${event}.scope->>'tenantId', '')`;
}

/** Columns as text. */
export type Row = Readonly<Record<string, string | null>>;

/** Milliseconds since 1970. `extract` would calculate with decimals, which takes longer than everything else. */
export function millisecondsOf(timestamp: string): string {
  return `(date_part('epoch', ${timestamp}) * 1000)::bigint`;
}

/** Bodies that are large are left out: `withLargeBodies` has them. */
export const eventColumns = `
  event.sequence, event.transaction_id, event.id, event.stream_id, event.position, event.type,
  ${unlessLarge('event.body')} AS body,
  ${millisecondsOf('event.timestamp')} AS timestamp,
  event.correlation_id, event.causation_id, event.scope, event.metadata`;

export function toRecord(row: Row): StoredRecord {
  return {
    id: row['id'],
    type: row['type'],
    streamId: row['stream_id'],
    body: row['body'],
    timestamp: Number(row['timestamp']),
    correlationId: row['correlation_id'],
    causationId: row['causation_id'],
    scope: scopeOf(row['scope']),
    metadata: parsed(row['metadata']),
    position: Number(row['position']),
    sequence: Number(row['sequence']),
    transaction: Number(row['transaction_id']),
  } as StoredRecord;
}

/** The same where many are read: each column of each row costs, so what has no blanks in it stands in one. */
export const packedEventColumns = `
  concat_ws(' ', event.sequence, event.transaction_id, event.position, ${millisecondsOf('event.timestamp')},
    event.id, event.stream_id, event.correlation_id, event.causation_id) AS packed,
  event.type, ${unlessLarge('event.body')} AS body, event.scope, event.metadata`;

export function idOfPacked(row: Row): string {
  return row['packed']!.split(' ')[4]!;
}

export function toRecordOfPacked(row: Row): StoredRecord {
  const packed = row['packed']!.split(' ');
  const { scope, metadata } = row;
  return {
    id: packed[4],
    type: row['type'],
    streamId: packed[5],
    body: row['body'],
    timestamp: Number(packed[3]),
    correlationId: packed[6],
    causationId: packed[7] ?? null,
    scope: scopeOf(scope),
    metadata: metadata === '{}' ? {} : parsed(metadata),
    position: Number(packed[2]),
    sequence: Number(packed[0]),
    transaction: Number(packed[1]),
  } as StoredRecord;
}

export function toPlace(row: Row | undefined): LogPlace | null {
  if (row === undefined) return null;
  return { sequence: Number(row['sequence']), transaction: Number(row['transaction_id']) };
}

/** Of a column that may be empty. */
export function scopeOf(text: string | null | undefined): EnvelopeScope | null {
  return text === null || text === undefined ? null : scopeOfText(text);
}

function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : JSON.parse(text);
}
