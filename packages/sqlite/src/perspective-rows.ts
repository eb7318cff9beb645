import { type EnvelopeScope, type Uuid } from '@svc/core';
import {
  keyOfModelId,
  layoutOf,
  tableNamesOf,
  type ColumnValue,
  type IndexedModel,
  type IndexedType,
  type ModelRecord,
  type ModelSnapshot,
  type ModelSource,
  type PerspectiveColumn,
  type PerspectiveStanding,
  type PerspectiveTable,
  type StoppedStream,
} from '@svc/core/storage';
import type { Row, SqlValue } from './engine.js';
import { sortableDecimal } from './sortable-decimal.js';

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
    : `(SELECT *, key AS id, coalesce(tenant_id, '') AS owner FROM ${models})`;
}

/** The ids under which such a table has some models. */
export function idsIn(table: PerspectiveTable, ids: readonly string[]): readonly string[] {
  return layoutOf(table) === 'owned' ? ids : ids.map(keyOfModelId);
}

export const modelColumns =
  'id, key, owner, body, version, last_event_id, tenant_id, user_id, organization_id, customer_id, allowed_principals, extensions';

/** The values of a row, in the order of `modelColumns`, then those of its own columns. */
export function modelValues(model: IndexedModel, columns: readonly PerspectiveColumn[]): SqlValue[] {
  const { id, key, owner, body, version, lastEventId, scope, indexed } = model;
  const own = columns.map(({ name, type }) => sqlValue(type, indexed[name] ?? null));
  return [id, key, owner, body, version, lastEventId, ...scopeValues(scope), ...own];
}

/** A value of a column as SQLite keeps it. */
export function sqlValue(type: IndexedType, value: ColumnValue): SqlValue {
  if (typeof value === 'boolean') return Number(value);
  return type === 'decimal' && value !== null ? sortableDecimal(value as string) : value;
}

/** What has no column of its own stands in `extensions`, which is null only when there is no scope. */
function scopeValues(scope: EnvelopeScope | null): SqlValue[] {
  if (scope === null) return [null, null, null, null, null, null];
  const rest: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(scope)) {
    if (value === null || (!(name in scopeColumns) && name !== 'allowedPrincipals')) rest[name] = value;
  }
  const known = Object.keys(scopeColumns).map((name) => scope[name] ?? null);
  const principals = scope['allowedPrincipals'] ?? null;
  return [...known, principals === null ? null : JSON.stringify(principals.split(',')), JSON.stringify(rest)];
}

function toScope(row: Row): EnvelopeScope | null {
  if (row['extensions'] === null) return null;
  const scope = JSON.parse(row['extensions'] as string) as Record<string, string | null>;
  for (const [name, column] of Object.entries(scopeColumns)) {
    if (row[column] !== null) scope[name] = row[column] as string;
  }
  const principals = row['allowed_principals'];
  if (principals !== null) scope['allowedPrincipals'] = (JSON.parse(principals as string) as string[]).join(',');
  return scope;
}

export function toModel(row: Row): ModelRecord {
  return {
    id: row['id'] as string,
    key: row['key'] as string,
    owner: row['owner'] as string,
    body: row['body'] as string | null,
    version: row['version'] as number,
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
    id: row['id'] as string,
    eventId: row['event_id'] as Uuid,
    body: row['body'] as string | null,
    version: row['version'] as number,
  };
}

export function toStopped(row: Row): StoppedStream {
  return {
    streamId: row['stream_id'] as Uuid,
    eventId: row['event_id'] as Uuid,
    position: row['position'] as number,
    errorName: row['error_name'] as string,
    errorMessage: row['error_message'] as string,
    attempts: row['attempts'] as number,
  };
}

export function toStanding(row: Row): PerspectiveStanding {
  return {
    perspective: row['perspective'] as string,
    stopped: row['stopped'] as number,
    behind: row['behind'] as number,
    oldest: row['oldest'] as number | null,
  };
}
