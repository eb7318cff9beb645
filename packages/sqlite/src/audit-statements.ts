import { SystemEventStream } from '@svc/core';
import { indexedAuditTypes, type SqlItem } from '@svc/core/storage';

const system = `'${SystemEventStream.streamId}'`;
const isAccessRecord = `stream_id = ${system} AND type IN ('svc.AccessDenied', 'svc.AccessGranted')`;

const typeTexts = indexedAuditTypes.map((type) => `'${type}'`).join(', ');
const isIndexedType = `stream_id = ${system} AND type IN (${typeTexts})`;

/**
 * The indexes of audit queries, as in PostgreSQL. SQLite has one writer at a time, so a long log is indexed at the start of the first process
 * that needs it.
 */
export const auditSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/audit-indexes',
  creates: 'svc_events_audit_time',
  steps: [
    `
    CREATE INDEX IF NOT EXISTS svc_events_audit_time ON svc_events (timestamp) WHERE stream_id = ${system};
    CREATE INDEX IF NOT EXISTS svc_events_audit_correlation ON svc_events (correlation_id) WHERE stream_id = ${system};
    CREATE INDEX IF NOT EXISTS svc_events_audit_user ON svc_events (scope->>'$.userId', timestamp) WHERE scope IS NOT NULL;
    CREATE INDEX IF NOT EXISTS svc_events_audit_resource ON svc_events (body->>'$.resourceId', timestamp) WHERE ${isAccessRecord};`,
  ],
};

/** Records about a message; those of events are found by the correlation of the event, so that appends do not pay for an index of all of them. */
const isAboutMessage = `stream_id = ${system} AND causation_id IS NOT NULL AND type <> 'svc.EventAudited'`;

/** The indexes by message and by type. */
export const auditLookupSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/audit-lookup-indexes',
  creates: 'svc_events_audit_message',
  steps: [
    `
    CREATE INDEX IF NOT EXISTS svc_events_audit_message ON svc_events (causation_id)
      WHERE stream_id = ${system} AND causation_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS svc_events_audit_type ON svc_events (type, timestamp) WHERE ${isIndexedType};`,
    `
    DROP INDEX svc_events_audit_message;
    CREATE INDEX svc_events_audit_message ON svc_events (causation_id) WHERE ${isAboutMessage};`,
  ],
};

/** The audit record of an event, of all its records with the same correlation. */
const recordOfEvent = `
      SELECT record.sequence FROM svc_events record INDEXED BY svc_events_audit_correlation
      WHERE record.stream_id = ${system} AND record.correlation_id = found.correlation_id AND record.causation_id = found.id
        AND record.type = 'svc.EventAudited'`;

function timed(rows: string, newestFirst: boolean): string {
  const [than, direction] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  return `
    SELECT timestamp AS time, sequence AS place,
      CASE WHEN stream_id = ${system} THEN sequence ELSE (${recordOfEvent} AND record.scope IS NULL LIMIT 1) END AS record
    FROM ${rows} AND timestamp >= ?2 AND timestamp < ?3 AND (timestamp, sequence) ${than} (?4, ?5)
    ORDER BY timestamp ${direction}, sequence ${direction} LIMIT ?6`;
}

function ofStream(newestFirst: boolean): string {
  const [than, direction] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
  return `
    SELECT timestamp AS time, position AS place, (${recordOfEvent} LIMIT 1) AS record
    FROM svc_events found
    WHERE stream_id = ?1 AND position ${than} ?5 AND timestamp >= ?2 AND timestamp < ?3 AND ?4 IS NOT NULL
    ORDER BY position ${direction} LIMIT ?6`;
}

const rowsOf = {
  all: `svc_events found INDEXED BY svc_events_audit_time WHERE stream_id = ${system} AND ?1 IS NOT NULL`,
  // The parameter is a scope, so that both sides are read from JSON.
  user: `svc_events found INDEXED BY svc_events_audit_user WHERE scope IS NOT NULL AND scope->>'$.userId' = ?1->>'$.userId'`,
  correlation: `
      svc_events found INDEXED BY svc_events_audit_correlation WHERE stream_id = ${system} AND correlation_id = ?1`,
  message: `
      (
        SELECT * FROM svc_events INDEXED BY svc_events_audit_message WHERE ${isAboutMessage} AND causation_id = ?1
        UNION ALL
        SELECT record.* FROM svc_events found JOIN svc_events record INDEXED BY svc_events_audit_correlation
        ON record.stream_id = ${system} AND record.correlation_id = found.correlation_id
          AND record.causation_id = found.id AND record.type = 'svc.EventAudited'
        WHERE found.id = ?1
      ) found WHERE true`,
  type: `svc_events found INDEXED BY svc_events_audit_type WHERE ${isIndexedType} AND type = ?1`,
  access: `svc_events found INDEXED BY svc_events_audit_resource WHERE ${isAccessRecord} AND body->>'$.resourceId' = ?1`,
};

/** The statements of audit queries: the places of a page with the record at each, by source and order. */
export const auditSql = {
  auditAllNewest: timed(rowsOf.all, true),
  auditAllOldest: timed(rowsOf.all, false),
  auditUserNewest: timed(rowsOf.user, true),
  auditUserOldest: timed(rowsOf.user, false),
  auditCorrelationNewest: timed(rowsOf.correlation, true),
  auditCorrelationOldest: timed(rowsOf.correlation, false),
  auditAccessNewest: timed(rowsOf.access, true),
  auditAccessOldest: timed(rowsOf.access, false),
  auditMessageNewest: timed(rowsOf.message, true),
  auditMessageOldest: timed(rowsOf.message, false),
  auditTypeNewest: timed(rowsOf.type, true),
  auditTypeOldest: timed(rowsOf.type, false),
  auditStreamNewest: ofStream(true),
  auditStreamOldest: ofStream(false),
  auditCauses: `
    SELECT id, 'event' AS kind, type, metadata FROM svc_events
    WHERE id IN (SELECT value FROM json_each(?1)) AND stream_id <> ${system}
    UNION ALL
    SELECT causation_id, 'command', body->>'$.commandType', '{}' FROM svc_events INDEXED BY svc_events_audit_correlation
    WHERE stream_id = ${system} AND correlation_id IN (SELECT value FROM json_each(?2))
      AND causation_id IN (SELECT value FROM json_each(?1)) AND type = 'svc.CommandAudited' AND archive IS NULL`,
};
