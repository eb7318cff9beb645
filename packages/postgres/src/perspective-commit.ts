/** How a batch of a perspective is kept: one statement for all models and how far it has come, further ones for what is rare. */
import {
  columnNameOf,
  snapshotsKept,
  tableNamesOf,
  type IndexedModel,
  type PerspectiveColumn,
  type PerspectiveCommit,
} from '@svc/core';
import { columnTypes, quoted } from './perspective-ddl.js';
import { timestampOf } from './perspective-list.js';
import { scopeRow } from './perspective-rows.js';

export interface Statement {
  readonly text: string;
  readonly values: (string | number)[];
}

/** So many models are kept in one statement: it comes as one text. */
export const mostModels = 10_000;

/** Answers with no row when the perspective is not where the batch was begun any more; then it keeps nothing. */
export function keepStatement(
  { perspective, from, to, sources }: Omit<PerspectiveCommit, 'models'>,
  models: readonly IndexedModel[],
  columns: readonly PerspectiveColumn[],
  table: string,
): Statement {
  const rows = models.map((model) => modelRow(model, columns));
  const origins = sources.map(({ key, streamId, lastEventId }) => ({
    key,
    stream_id: streamId,
    last_event_id: lastEventId,
  }));
  const values = [perspective, from.revision, to, table, JSON.stringify(rows), JSON.stringify(origins), from.sequence];
  return { text: keepText(perspective, columns), values };
}

/** More models for the commit that has got this revision. */
export function furtherModels(
  perspective: string,
  models: readonly IndexedModel[],
  columns: readonly PerspectiveColumn[],
  revision: string,
): Statement {
  const rows = JSON.stringify(models.map((model) => modelRow(model, columns)));
  const text = insertModels(perspective, columns, `(SELECT $1::bigint AS revision) moved`, '$2');
  return { text, values: [revision, rows] };
}

/** What else there is to keep, in this order. */
export function furtherStatements(commit: PerspectiveCommit): Statement[] {
  const { perspective, rewound, snapshots, resumed, stopped } = commit;
  const table = tableNamesOf(perspective).snapshots;
  const statements: Statement[] = [];
  const add = (items: readonly unknown[], text: string, ...values: string[]): void => {
    if (items.length > 0) statements.push({ text, values: [...values, JSON.stringify(items)] });
  };
  add(
    rewound,
    `DELETE FROM ${table} snapshot USING jsonb_to_recordset($1::jsonb) AS rewound (key text, "afterEventId" uuid)
     WHERE snapshot.key = rewound.key AND (rewound."afterEventId" IS NULL OR snapshot.event_id > rewound."afterEventId")`,
  );
  add(
    snapshots,
    `INSERT INTO ${table} (key, event_id, body, version, scope)
     SELECT key, "eventId", body, version, scope
     FROM json_to_recordset($1::json) AS taken (key text, "eventId" uuid, body text, version bigint, scope json)
     ON CONFLICT (key, event_id) DO UPDATE SET body = excluded.body, version = excluded.version, scope = excluded.scope`,
  );
  add(
    [...new Set(snapshots.map(({ key }) => key))],
    `DELETE FROM ${table} snapshot USING jsonb_array_elements_text($1::jsonb) AS taken (key)
     WHERE snapshot.key = taken.key AND snapshot.event_id < (
       SELECT event_id FROM ${table} newer WHERE newer.key = taken.key
       ORDER BY event_id DESC OFFSET ${snapshotsKept - 1} LIMIT 1)`,
  );
  add(
    resumed,
    `DELETE FROM svc_perspectives_stopped WHERE perspective = $1
     AND stream_id IN (SELECT value::uuid FROM jsonb_array_elements_text($2::jsonb) AS resumed (value))`,
    perspective,
  );
  add(
    stopped,
    `INSERT INTO svc_perspectives_stopped (perspective, stream_id, event_id, position, error_name, error_message)
     SELECT $1, "streamId", "eventId", position, "errorName", "errorMessage" FROM jsonb_to_recordset($2::jsonb)
       AS stop ("streamId" uuid, "eventId" uuid, position bigint, "errorName" text, "errorMessage" text)
     ON CONFLICT (perspective, stream_id) DO UPDATE SET event_id = excluded.event_id, position = excluded.position,
       error_name = excluded.error_name, error_message = excluded.error_message`,
    perspective,
  );
  return statements;
}

const plainColumns = {
  key: 'text',
  body: 'text',
  version: 'bigint',
  last_event_id: 'uuid',
  tenant_id: 'text',
  user_id: 'text',
  organization_id: 'text',
  customer_id: 'text',
  allowed_principals: 'text[]',
  extensions: 'jsonb',
} as const;

function keepText(perspective: string, columns: readonly PerspectiveColumn[]): string {
  return `
    WITH moved AS (
      UPDATE svc_perspectives SET sequence = $3, revision = revision + 1
      WHERE name = $1 AND revision = $2 AND sequence = $7 AND definition = $4 RETURNING revision
    ), kept AS (
      ${insertModels(perspective, columns, 'moved', '$5')}
    ), known AS (
      INSERT INTO ${tableNamesOf(perspective).sources} AS known (key, stream_id, last_event_id)
      SELECT given.* FROM moved, jsonb_to_recordset($6::jsonb) AS given (key text, stream_id uuid, last_event_id uuid)
      ON CONFLICT (key, stream_id) DO UPDATE SET last_event_id = excluded.last_event_id
      WHERE known.last_event_id < excluded.last_event_id
    )
    SELECT revision FROM moved`;
}

/** The models in the parameter `rows`, if `moved` has a row, which says their revision. */
function insertModels(perspective: string, columns: readonly PerspectiveColumn[], moved: string, rows: string): string {
  const plain = Object.keys(plainColumns);
  const names = [...plain, ...columns.map(quoted), 'revision'];
  const given = [
    ...Object.entries(plainColumns).map(([name, type]) => `${name} ${type}`),
    ...columns.map(
      (column) => `${quoted(column)} ${column.type === 'timestamp' ? 'bigint' : columnTypes[column.type]}`,
    ),
  ];
  const taken = [
    ...plain.map((name) => `given.${name}`),
    ...columns.map((column) =>
      column.type === 'timestamp' ? timestampOf(`given.${quoted(column)}`) : `given.${quoted(column)}`,
    ),
    'moved.revision',
  ];
  const updates = names.filter((name) => name !== 'key').map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${tableNamesOf(perspective).models} (${names.join(', ')})
      SELECT ${taken.join(', ')} FROM ${moved}, jsonb_to_recordset(${rows}::jsonb) AS given (${given.join(', ')})
      ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')}`;
}

function modelRow(
  { key, body, version, lastEventId, scope, indexed }: IndexedModel,
  columns: readonly PerspectiveColumn[],
): object {
  const values = columns.map(({ name }) => [columnNameOf(name), indexed[name] ?? null]);
  return { key, body, version, last_event_id: lastEventId, ...scopeRow(scope), ...Object.fromEntries(values) };
}
