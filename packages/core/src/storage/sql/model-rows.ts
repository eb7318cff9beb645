/** Converts rows of the tables of perspectives to and from records. */
import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import { keyOfModelId } from '../models/model-id.js';
import type { ModelSource } from '../models/model-sources.js';
import type { ModelSnapshot, StoppedStream, StoredModel } from '../models/perspective-storage.js';
import { columnNameOf, layoutOf, tableNamesOf } from '../models/perspective-table.js';
import type { RecordedTables } from './recorded-tables.js';
import type { SqlRow } from './sql-statement.js';

/** The scope values that have their own columns. */
const scopeColumns = {
  tenantId: 'tenant_id',
  userId: 'user_id',
  organizationId: 'organization_id',
  customerId: 'customer_id',
} as const;

export function scopeColumn(name: string): string {
  return scopeColumns[name as keyof typeof scopeColumns];
}

/** The column of an indexed property, as a quoted identifier. */
export function indexedColumn({ name }: { readonly name: string }): string {
  return `"${columnNameOf(name)}"`;
}

/** The FROM item for models. A `keyed` table is read as if it had ids and owners. */
export function modelsOf({ tables, table }: RecordedTables): string {
  const { models } = tableNamesOf(tables.name);
  return layoutOf(table) === 'owned'
    ? models
    : `(SELECT *, key AS id, coalesce(tenant_id, '') AS owner FROM ${models}) models`;
}

/** The ids of models in a table; a `keyed` table has their keys instead. */
export function idsIn({ table }: RecordedTables, ids: readonly string[]): readonly string[] {
  return layoutOf(table) === 'owned' ? ids : ids.map(keyOfModelId);
}

/** A scope as columns. Values without their own column are in `extensions`, which is only missing if there is no scope. */
export interface ScopeRow {
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly organization_id?: string;
  readonly customer_id?: string;
  readonly allowed_principals?: readonly string[];
  readonly extensions?: Readonly<Record<string, string | null>>;
}

/** The values of a scope, by column. */
export function scopeRow(scope: EnvelopeScope | null): ScopeRow {
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

/** The model in a row. `principals`: those of its scope, separated by commas. */
export function toModel(row: SqlRow, principals: string | null): StoredModel {
  return {
    id: row['id'] as string,
    key: row['key'] as string,
    owner: row['owner'] as string,
    body: row['body'] as string | null,
    version: Number(row['version']),
    lastEventId: row['last_event_id'] as Uuid,
    scope: toScope(row, principals),
    revision: Number(row['revision']),
  };
}

function toScope(row: SqlRow, principals: string | null): EnvelopeScope | null {
  const extensions = row['extensions'] as string | null;
  if (extensions === null) return null;
  const scope = JSON.parse(extensions) as Record<string, string | null>;
  for (const [name, column] of Object.entries(scopeColumns)) {
    const value = row[column] as string | null;
    if (value !== null) scope[name] = value;
  }
  if (principals !== null) scope['allowedPrincipals'] = principals;
  return scope;
}

/** The source in a row. */
export function toSource(row: SqlRow): ModelSource {
  return {
    id: row['id'] as string,
    streamId: row['stream_id'] as Uuid,
    block: Number(row['block']),
    events: Number(row['events']),
    lastEventId: row['last_event_id'] as Uuid,
  };
}

/** The snapshot in a row. */
export function toSnapshot(row: SqlRow): ModelSnapshot {
  return {
    id: row['id'] as string,
    eventId: row['event_id'] as Uuid,
    body: row['body'] as string | null,
    version: Number(row['version']),
  };
}

/** The stopped stream in a row. */
export function toStopped(row: SqlRow): StoppedStream {
  return {
    streamId: row['stream_id'] as Uuid,
    eventId: row['event_id'] as Uuid,
    position: Number(row['position']),
    errorName: row['error_name'] as string,
    errorMessage: row['error_message'] as string,
    attempts: Number(row['attempts']),
  };
}
