import { toModel, type ListDialect, type StoredModel, type SqlRow } from '@svc/core/storage';
import { columnTypes, timestampOf } from './perspective-ddl.js';

/** The lists of models in PostgreSQL. */
export const listDialect: ListDialect<boolean | readonly string[]> = {
  parameterMark: '$',
  modelColumns:
    "id, key, owner, body, version, last_event_id, tenant_id, user_id, organization_id, customer_id, array_to_string(allowed_principals, ',') AS principals, extensions, revision",
  columnValue: (type, value, bind) =>
    type === 'timestamp' ? timestampOf(`${bind(value)}::bigint`) : `${bind(value)}::${columnTypes[type]}`,
  allowsAny: (principals, bind) => `allowed_principals && ${bind(principals)}::text[]`,
};

export function modelOf(row: SqlRow): StoredModel {
  return toModel(row, row['principals'] as string | null);
}
