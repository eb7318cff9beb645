import { type EnvelopeScope, type Uuid } from '@svc/core';
import {
  keyOfModelId,
  layoutOf,
  tableNamesOf,
  type ModelRecord,
  type ModelSnapshot,
  type ModelSource,
  type PerspectiveTable,
  type StoppedStream,
} from '@svc/core/storage';
import type { Row } from './rows.js';

/** The values of a scope that have columns of their own. */
const scopeColumns = {
  tenantId: 'tenant_id',
  userId: 'user_id',
  organizationId: 'organization_id',
  customerId: 'customer_id',
} as const;

export function scopeColumn(name: string): string {
  return scopeColumns[name as keyof typeof scopeColumns];
}

/** What models are read from. A table that knows them by their key alone is read as if it had ids and owners. */
export function modelsOf(table: PerspectiveTable): string {
  const { models } = tableNamesOf(table.perspective);
  return layoutOf(table) === 'owned'
    ? models
    : `(SELECT *, key AS id, coalesce(tenant_id, '') AS owner FROM ${models}) models`;
}

/** The ids under which such a table has some models. */
export function idsIn(table: PerspectiveTable, ids: readonly string[]): readonly string[] {
  return layoutOf(table) === 'owned' ? ids : ids.map(keyOfModelId);
}

export const modelColumns =
  "id, key, owner, body, version, last_event_id, tenant_id, user_id, organization_id, customer_id, array_to_string(allowed_principals, ',') AS principals, extensions";

/** A scope as columns. What has none of its own stands in `extensions`, which is null only when there is no scope. */
export function scopeRow(scope: EnvelopeScope | null): Record<string, unknown> {
  if (scope === null) return {};
  const row: Record<string, unknown> = {};
  const rest: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(scope)) {
    if (value !== null && name in scopeColumns) row[scopeColumn(name)] = value;
    else if (value !== null && name === 'allowedPrincipals') row['allowed_principals'] = value.split(',');
    else rest[name] = value;
  }
  return { ...row, extensions: rest };
}

function toScope(row: Row): EnvelopeScope | null {
  const { extensions } = row;
  if (extensions === null || extensions === undefined) return null;
  const scope = JSON.parse(extensions) as Record<string, string | null>;
  for (const [name, column] of Object.entries(scopeColumns)) {
    const value = row[column];
    if (value !== null && value !== undefined) scope[name] = value;
  }
  if (row['principals'] !== null && row['principals'] !== undefined) scope['allowedPrincipals'] = row['principals'];
  return scope;
}

export function toModel(row: Row): ModelRecord {
  return {
    id: row['id']!,
    key: row['key']!,
    owner: row['owner']!,
    body: row['body']!,
    version: Number(row['version']),
    lastEventId: row['last_event_id'] as Uuid,
    scope: toScope(row),
  };
}

export function toSource(row: Row): ModelSource {
  return {
    id: row['id'] as string,
    streamId: row['stream_id'] as Uuid,
    block: Number(row['block']),
    events: Number(row['events']),
    lastEventId: row['last_event_id'] as Uuid,
  };
}

export function toSnapshot(row: Row): ModelSnapshot {
  return {
    id: row['id']!,
    eventId: row['event_id'] as Uuid,
    body: row['body']!,
    version: Number(row['version']),
  };
}

export function toStopped(row: Row): StoppedStream {
  return {
    streamId: row['stream_id'] as Uuid,
    eventId: row['event_id'] as Uuid,
    position: Number(row['position']),
    errorName: row['error_name']!,
    errorMessage: row['error_message']!,
    attempts: Number(row['attempts']),
  };
}
