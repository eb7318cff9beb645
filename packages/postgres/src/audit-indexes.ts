/**
 * The indexes of audit queries. An append pays for each, so they cover few rows and little of them
 * ([decision 0099](../../../docs/decisions/0099-audit-queries-use-partial-indexes.md)).
 */
import { SystemEventStream } from '@svc/core';
import { indexedAuditTypes, type SqlItem } from '@svc/core/storage';

export const systemStream = `'${SystemEventStream.streamId}'`;

/**
 * Identifies the user in a scope. It reads the JSON as text: JSON functions fail on text that PostgreSQL cannot decode, such as U+0000. The hash
 * bounds the size of an index entry. Different users can have the same value, so readers compare the user.
 */
export const userKey = `hashtextextended(split_part(split_part(scope::text, '"userId":"', 2), '"', 1), 0)`;

/** The same for a user id, as the parameter of a statement: `userText` of it. */
export function userKeyOf(parameter: string): string {
  return `hashtextextended(split_part(${parameter}, '"', 1), 0)`;
}

/** A user id as in the JSON text of a scope. */
export function userText(userId: string): string {
  return JSON.stringify(userId).slice(1, -1);
}

/** The resource of an access record, if it is an id. */
export const resourceKey = `substring(body::text FROM '"resourceId":"([0-9a-f]{8}-[0-9a-f-]{27})"')`;

export const isAccessRecord = `stream_id = ${systemStream} AND type IN ('svc.AccessDenied', 'svc.AccessGranted')`;

const typeTexts = indexedAuditTypes.map((type) => `'${type}'`).join(', ');
export const isIndexedType = `stream_id = ${systemStream} AND type IN (${typeTexts})`;

type Indexes = Readonly<Record<string, string>>;

/** The indexes by name. */
export const auditIndexes: Indexes = {
  svc_events_audit_time: `svc_events (timestamp) WHERE stream_id = ${systemStream}`,
  svc_events_audit_correlation: `svc_events (correlation_id) WHERE stream_id = ${systemStream}`,
  svc_events_audit_user: `svc_events ((${userKey}), timestamp) WHERE scope IS NOT NULL`,
  svc_events_audit_resource: `svc_events ((${resourceKey}), timestamp) WHERE ${isAccessRecord}`,
};

/** The indexes by message and by type ([decision 0129](../../../docs/decisions/0129-audit-records-are-found-by-message-and-type.md)). */
export const auditLookupIndexes: Indexes = {
  svc_events_audit_message: `svc_events (causation_id) WHERE stream_id = ${systemStream} AND causation_id IS NOT NULL`,
  svc_events_audit_type: `svc_events (type, timestamp) WHERE ${isIndexedType}`,
};

/** Creates the indexes of an empty log. Those of a log with events are built afterwards, while hosts append. */
function onEmptyLog(indexes: Indexes): string {
  const create = Object.entries(indexes).map(
    ([name, definition]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${definition};`,
  );
  return `
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM svc_events) THEN
        ${create.join('\n        ')}
      END IF;
    END $$;`;
}

export const auditSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/audit-indexes',
  creates: 'svc_events_audit_time',
  steps: [onEmptyLog(auditIndexes)],
  // All of them, so that they are built one after another: concurrent builds on one table wait for each other.
  indexes: Object.entries({ ...auditIndexes, ...auditLookupIndexes }).map(([name, definition]) => ({
    name,
    definition,
  })),
};

export const auditLookupSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/audit-lookup-indexes',
  creates: 'svc_events_audit_message',
  steps: [onEmptyLog(auditLookupIndexes)],
};
