/**
 * Audit records are stored by reference: the row has the id of the event it is about as `causation_id`, and a note as metadata. Statements
 * that return events join the event as `original`. They use no JSON functions, which fail on text that PostgreSQL cannot decode.
 */
import { SystemEventStream, type Uuid } from '@svc/core';
import {
  auditRecordOf,
  eventAuditedContent,
  referenceBody,
  streamTenantKey,
  type EventAuditNote,
  type ParsedRecord,
  type StoredRecord,
} from '@svc/core/storage';
import type { Row } from './row.js';

/** Whether a row of `svc_events event` is an audit record that refers to an event. */
export const isReference = `event.stream_id = '${SystemEventStream.streamId}' AND event.body::text = '${referenceBody}'`;

/** Joins the event that a row is about; none for rows that are stored completely. `OFFSET 0`: always looks up single events by their ids. */
export const joinOriginal = joinOriginalIf(isReference);

/** The same if the type of the row is wanted and so has a `type_number`. */
export const joinWantedOriginal = joinOriginalIf(`event.type_number IS NOT NULL AND ${isReference}`);

function joinOriginalIf(condition: string): string {
  return `
  LEFT JOIN LATERAL (
    SELECT * FROM svc_events audited WHERE audited.id = event.causation_id AND ${condition} OFFSET 0
  ) original ON true`;
}

/** A column of the event that the row is about, or of the row itself. */
export function originalOr(column: 'body' | 'scope' | 'metadata' | 'archive' | 'sequence'): string {
  return `CASE WHEN original.id IS NULL THEN event.${column} ELSE original.${column} END`;
}

/** What else a row needs of its original. Both are null for rows that are stored completely. */
export const originalColumns = `
  CASE WHEN original.id IS NOT NULL THEN
    concat_ws(' ', original.position, original.stream_id, coalesce(original.causation_id::text, '-'), original.type) END AS original,
  CASE WHEN original.id IS NOT NULL THEN event.metadata END AS audit_note`;

/** The same as JSON, for events that are parsed together. */
export const originalJson = `
  CASE WHEN original.id IS NOT NULL THEN
    concat('[', original.position, ',"', original.stream_id, '",', to_json(original.type), ',',
      coalesce('"' || original.causation_id || '"', 'null'), ',', event.metadata, ']') END AS original`;

export type OriginalJson = [
  position: number,
  streamId: Uuid,
  type: string,
  causationId: Uuid | null,
  note: EventAuditNote,
];

/** The content of a parsed audit record. Other properties of the record are those of the original. */
export function auditContent(read: ParsedRecord, original: OriginalJson): object {
  const [position, streamId, type, causationId, note] = original;
  const { timestamp, correlationId, scope, metadata, content } = read;
  const id = read.causationId!;
  const event = { id, type, streamId, position, causationId, timestamp, correlationId, scope, metadata, content };
  return eventAuditedContent(read.id, event, note);
}

/** The metadata of an audit record, by those of its event. */
export function auditMetadata(original: ParsedRecord['metadata']): ParsedRecord['metadata'] {
  const tenant = original[streamTenantKey];
  return tenant === undefined ? {} : { [streamTenantKey]: tenant };
}

/** The complete audit record of a row. Other columns of the row have the values of the original. */
export function auditRecord(row: Row, read: StoredRecord): StoredRecord {
  const [position, streamId, causationId, ...type] = row['original']!.split(' ');
  const event: StoredRecord = {
    ...read,
    id: read.causationId!,
    type: type.join(' '),
    streamId: streamId as Uuid,
    causationId: causationId === '-' ? null : (causationId as Uuid),
    position: Number(position),
  };
  return { ...auditRecordOf(read, event, row['audit_note']!), transaction: read.transaction! };
}
