import {
  scopeRow,
  toModel,
  type ColumnValue,
  type IndexedModel,
  type IndexedType,
  type ListDialect,
  type StoredModel,
  type PerspectiveColumn,
} from '@svc/core/storage';
import type { Row, SqlValue } from './engine.js';
import { sortableDecimal } from './sortable-decimal.js';

/** The columns of a model that `modelValues` fills. */
export const writtenColumns = [
  'id',
  'key',
  'owner',
  'body',
  'version',
  'last_event_id',
  'tenant_id',
  'user_id',
  'organization_id',
  'customer_id',
  'allowed_principals',
  'extensions',
] as const;

/** The SQL dialect for lists of models. */
export const listDialect: ListDialect<null> = {
  parameterMark: '?',
  modelColumns: `${writtenColumns.join(', ')}, revision`,
  columnValue: (type, value, bind) => bind(sqlValue(type, value)),
  allowsAny: (principals, bind) =>
    `EXISTS (SELECT 1 FROM json_each(allowed_principals) allowed JOIN json_each(${bind(JSON.stringify(principals))}) own ON own.value = allowed.value)`,
};

/** The values of a row: in the order of `writtenColumns`, then those of the indexed columns. */
export function modelValues(model: IndexedModel, columns: readonly PerspectiveColumn[]): SqlValue[] {
  const { id, key, owner, body, version, lastEventId, scope, indexed } = model;
  const { tenant_id, user_id, organization_id, customer_id, allowed_principals, extensions } = scopeRow(scope);
  return [
    id,
    key,
    owner,
    body,
    version,
    lastEventId,
    tenant_id ?? null,
    user_id ?? null,
    organization_id ?? null,
    customer_id ?? null,
    allowed_principals === undefined ? null : JSON.stringify(allowed_principals),
    extensions === undefined ? null : JSON.stringify(extensions),
    ...columns.map(({ name, type }) => sqlValue(type, indexed[name] ?? null)),
  ];
}

/** A value of a column as SQLite stores it. */
export function sqlValue(type: IndexedType, value: ColumnValue): SqlValue {
  if (typeof value === 'boolean') return Number(value);
  return type === 'decimal' && value !== null ? sortableDecimal(value as string) : value;
}

export function modelOf(row: Row): StoredModel {
  const principals = row['allowed_principals'] as string | null;
  return toModel(row, principals === null ? null : (JSON.parse(principals) as string[]).join(','));
}
