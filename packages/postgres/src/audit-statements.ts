import type { AuditSource } from '@svc/core/storage';
import { joinOriginal } from './audit-references.js';
import {
  isAccessRecord,
  isIndexedType,
  resourceKey,
  systemStream,
  userKey,
  userKeyOf,
  userText,
} from './audit-indexes.js';
import { eventColumns, millisecondsOf } from './rows.js';

type TimedKind = Exclude<AuditSource['kind'], 'stream'>;

/**
 * The rows of a source. `$1` is its key. A reference to an event has no scope, so users are found by the rows of events. `OFFSET 0`: the records
 * of a correlation or message are few, and are never searched for along the index by time.
 */
const rowsOf: Readonly<Record<TimedKind, string>> = {
  all: `svc_events WHERE stream_id = ${systemStream} AND $1::text IS NULL`,
  user: `svc_events WHERE scope IS NOT NULL AND ${userKey} = ${userKeyOf('$1::text')}`,
  correlation: `(
      SELECT * FROM svc_events WHERE stream_id = ${systemStream} AND correlation_id = $1::uuid OFFSET 0
    ) svc_events WHERE true`,
  access: `svc_events WHERE ${isAccessRecord} AND ${resourceKey} = $1::text`,
  message: `(
      SELECT * FROM svc_events WHERE stream_id = ${systemStream} AND causation_id = $1::uuid OFFSET 0
    ) svc_events WHERE true`,
  type: `svc_events WHERE ${isIndexedType} AND type = $1::text`,
};

/** The sequence number of the audit record of an event; of a system event, its own. */
const recordOfEvent = `
  CASE WHEN found.stream_id = ${systemStream} THEN found.sequence ELSE (
    SELECT record.sequence FROM svc_events record
    WHERE record.stream_id = ${systemStream} AND record.correlation_id = found.correlation_id AND record.causation_id = found.id
      AND record.type = 'svc.EventAudited' AND record.scope IS NULL
    LIMIT 1) END`;

function timedStatement(rows: string, newestFirst: boolean): string {
  const [than, direction] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  const at = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;
  return `
  SELECT ${millisecondsOf('found.timestamp')} AS time, found.sequence AS place, ${recordOfEvent} AS record
  FROM (
    SELECT sequence, timestamp, stream_id, correlation_id, id FROM ${rows}
      AND timestamp >= coalesce(${at('$2')}, '-infinity') AND timestamp < coalesce(${at('$3')}, 'infinity')
      AND ($4::double precision IS NULL OR (timestamp, sequence) ${than} (${at('$4')}, $5::bigint))
      AND timestamp ${than}= coalesce(${at('$4')}, '${newestFirst ? '' : '-'}infinity')
    ORDER BY timestamp ${direction}, sequence ${direction} LIMIT $6
  ) found ORDER BY found.timestamp ${direction}, found.sequence ${direction}`;
}

function streamStatement(newestFirst: boolean): string {
  const [than, direction] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  const time = millisecondsOf('timestamp');
  return `
  SELECT ${millisecondsOf('found.timestamp')} AS time, found.position AS place, (
    SELECT record.sequence FROM svc_events record
    WHERE record.stream_id = ${systemStream} AND record.correlation_id = found.correlation_id AND record.causation_id = found.id
      AND record.type = 'svc.EventAudited'
    LIMIT 1) AS record
  FROM (
    SELECT position, timestamp, correlation_id, id FROM svc_events
    WHERE stream_id = $1 AND ($5::bigint IS NULL OR position ${than} $5) AND $4::double precision IS NOT DISTINCT FROM $4
      AND ($2::bigint IS NULL OR ${time} >= $2) AND ($3::bigint IS NULL OR ${time} < $3)
    ORDER BY position ${direction} LIMIT $6
  ) found ORDER BY found.position ${direction}`;
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

function both(name: string, text: (newestFirst: boolean) => string): Readonly<Record<'oldest' | 'newest', Statement>> {
  return {
    oldest: { name: `svc-audit-${name}-oldest`, text: text(false) },
    newest: { name: `svc-audit-${name}-newest`, text: text(true) },
  };
}

/** By source and order: the places of a page, with the sequence number of the record at each. */
export const placeStatements = {
  all: both('all', (newestFirst) => timedStatement(rowsOf.all, newestFirst)),
  user: both('user', (newestFirst) => timedStatement(rowsOf.user, newestFirst)),
  correlation: both('correlation', (newestFirst) => timedStatement(rowsOf.correlation, newestFirst)),
  access: both('access', (newestFirst) => timedStatement(rowsOf.access, newestFirst)),
  message: both('message', (newestFirst) => timedStatement(rowsOf.message, newestFirst)),
  type: both('type', (newestFirst) => timedStatement(rowsOf.type, newestFirst)),
  stream: both('stream', streamStatement),
};

/** The first parameter of the statement of a source. */
export function keyOf(source: AuditSource): string | null {
  switch (source.kind) {
    case 'all':
      return null;
    case 'user':
      return userText(source.userId);
    case 'correlation':
      return source.correlationId;
    case 'access':
      return source.resourceId;
    case 'message':
      return source.messageId;
    case 'type':
      return source.type;
    case 'stream':
      return source.streamId;
  }
}

/** The complete records with sequence numbers, in their order. */
export const recordsStatement = `
  SELECT ${eventColumns} FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (sequence, turn)
  JOIN svc_events event ON event.sequence = wanted.sequence ${joinOriginal} ORDER BY wanted.turn`;

/** The bodies of commands are as the generated writer wrote them: the type comes before everything that a caller sent. */
export const causesStatement = `
  SELECT id, 'event' AS kind, type, metadata::text AS metadata FROM svc_events WHERE id = ANY($1::uuid[]) AND stream_id <> ${systemStream}
  UNION ALL
  SELECT causation_id, 'command', substring(body::text FROM '"commandType":("(?:[^"\\\\]|\\\\.)*")'), NULL FROM svc_events
  WHERE stream_id = ${systemStream} AND correlation_id = ANY($2::uuid[]) AND causation_id = ANY($1::uuid[])
    AND type = 'svc.CommandAudited' AND body IS NOT NULL`;

export const readyStatement = `
  SELECT relname::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = to_regclass('svc_events') AND indisvalid AND relname = ANY($1::text[])`;
