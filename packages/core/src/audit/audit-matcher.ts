import { tenantOfEvent } from '../messages/index.js';
import type { StoredRecord } from '../storage/index.js';
import { entryOf, hasLevel, type AuditEntry } from './audit-entry.js';
import { typesOf, type AuditQuery } from './audit-query.js';

/** Returns the entry of a record, or null if it does not match. */
export type AuditMatcher = (record: StoredRecord) => AuditEntry | null;

/** Matches the conditions of a query, except its times. A tenant of null: all. */
export function matcherOf(query: AuditQuery, tenant: string | null): AuditMatcher {
  const types = new Set(typesOf(query));
  const { message, resource, correlation, user, level } = query;
  return (record) => {
    if (tenant !== null && tenantOfEvent(record) !== tenant) return null;
    if (message !== undefined && record.causationId !== message) return null;
    if (correlation !== undefined && record.correlationId !== correlation) return null;
    const entry = entryOf(record);
    if (user !== undefined && entry.userId !== user) return null;
    if (resource !== undefined && !isAbout(entry, resource)) return null;
    if (types.size > 0 && !types.has(entry.type)) return null;
    return level === undefined || hasLevel(entry, level) ? entry : null;
  };
}

/** Whether an entry is about an event of a stream, or about access to it: the records that a search by resource finds. */
function isAbout({ kind, streamId, resourceId }: AuditEntry, resource: string): boolean {
  return kind === 'event' ? streamId === resource : isAccess(kind) && resourceId === resource;
}

function isAccess(kind: AuditEntry['kind']): boolean {
  return kind === 'denial' || kind === 'grant';
}
