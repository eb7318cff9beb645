import {
  auditRecordOf,
  referenceBody,
  scopeOfText,
  scopeText,
  type ParsedRecord,
  type SampledEvent,
  type StoredRecord,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
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

export function samplesIn(row: Row): readonly SampledEvent[] {
  return JSON.parse(row['events'] as string) as SampledEvent[];
}

/** A record with its body parsed, for several readers. A body that is not JSON stays as it is: the event that has it cannot be read. */
export function toParsedRecord(row: Row): StoredRecord | ParsedRecord {
  const record = toRecord(row);
  const { body, ...rest } = record;
  try {
    return { ...rest, content: JSON.parse(body) as unknown };
  } catch {
    return record;
  }
}

/** The column of an event's body in a row. */
export function eventColumn(): string {
  return 'body';
}

/** The columns that a row lacks: a large body, or those of an audit record that is stored by reference. */
export function missingColumns(sql: Connection['sql'], row: Row): Row {
  const body = sql.bodyOfEvent.get(row['sequence']!)!['body'] as string;
  if (body !== referenceBody) return { body };
  const original = { ...sql.findStored.get(row['causation_id']!)! };
  const { archive } = original;
  // The body of the original follows, from its archive file.
  return archive === null
    ? auditColumns(row, original)
    : { body: null, archive: archive!, original: JSON.stringify(original) };
}

/** The columns of a complete audit record, of which a row is the reference to an event. */
export function auditColumns(row: Row, original: Row): Row {
  const reference = toRecord({ ...row, body: referenceBody });
  const { body, scope, metadata } = auditRecordOf(reference, toRecord(original), row['metadata'] as string);
  return { body, scope: scope && scopeText(scope), metadata: JSON.stringify(metadata) };
}
