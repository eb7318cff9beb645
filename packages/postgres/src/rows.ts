import type { EnvelopeScope, Uuid } from '@svc/core';
import { scopeOfText, streamTenantKey, type LogPlace, type SampledEvent, type StoredRecord } from '@svc/core/storage';
import { auditRecord, originalColumns, originalOr } from './audit-references.js';
import { unlessLarge } from './large-bodies.js';
import type { Row } from './row.js';

/** The tenant of an event, as in core's `tenantOfEvent`. Metadata without the key are not parsed: see `lastEventOf`. */
export function tenantOf(event: string): string {
  const ofStream = `CASE WHEN ${event}.metadata::text LIKE '%"${streamTenantKey}"%' THEN ${event}.metadata->>'${streamTenantKey}' END`;
  return `coalesce(${ofStream}, ${event}.scope->>'tenantId', '')`;
}

/** Milliseconds since 1970. `extract` would compute with decimals, which is much slower. */
export function millisecondsOf(timestamp: string): string {
  return `(date_part('epoch', ${timestamp}) * 1000)::bigint`;
}

/** Of `svc_events event` with `joinOriginal`. Without large bodies, which `withLargeBodies` fetches. */
export const eventColumns = `
  event.sequence, event.transaction_id, event.id, event.stream_id, event.position, event.type,
  ${unlessLarge(originalOr('body'))} AS body,
  ${millisecondsOf('event.timestamp')} AS timestamp,
  event.correlation_id, event.causation_id, ${originalOr('scope')} AS scope, ${originalOr('metadata')} AS metadata, ${originalColumns}`;

export function toRecord(row: Row): StoredRecord {
  const read = {
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
  return row['original'] === null ? read : auditRecord(row, read);
}

/** The same for reading many events: values without spaces share one column, because each column of each row costs time. */
export const packedEventColumns = `
  concat_ws(' ', event.sequence, event.transaction_id, event.position, ${millisecondsOf('event.timestamp')},
    event.id, event.stream_id, event.correlation_id, event.causation_id) AS packed,
  event.type, ${unlessLarge(originalOr('body'))} AS body, ${originalOr('scope')} AS scope, ${originalOr('metadata')} AS metadata,
  ${originalColumns}`;

export function idOfPacked(row: Row): string {
  return row['packed']!.split(' ')[4]!;
}

export function toRecordOfPacked(row: Row): StoredRecord {
  const packed = row['packed']!.split(' ');
  const { scope, metadata } = row;
  const read = {
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
  return row['original'] === null ? read : auditRecord(row, read);
}

export function toPlace(row: Row | undefined): LogPlace | null {
  if (row === undefined) return null;
  return { sequence: Number(row['sequence']), transaction: Number(row['transaction_id']) };
}

export function toSample(row: Row): SampledEvent {
  return { type: row['type']!, id: row['id'] as Uuid };
}

/** The scope in a nullable column. */
export function scopeOf(text: string | null | undefined): EnvelopeScope | null {
  return text === null || text === undefined ? null : scopeOfText(text);
}

function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : JSON.parse(text);
}
