/** The statements that commit a batch of a perspective: one for its models and its place in the log, and others for what is rare. */
import {
  columnNameOf,
  indexedColumn,
  plainMessage,
  scopeRow,
  retainedSnapshots,
  tableNamesOf,
  type IndexedModel,
  type ModelSource,
  type ModelTables,
  type OutgoingRecord,
  type PerspectiveColumn,
  type PerspectiveCommit,
  type RecordedTables,
  type Segment,
} from '@svc/core/storage';
import { jsonTexts, rowsWithTexts } from './json-texts.js';
import { changeNotice, modelsChannel } from './model-notices.js';
import { columnTypes, timestampOf } from './perspective-ddl.js';

export interface Statement {
  readonly text: string;
  readonly values: (string | number)[];
}

/** The limits of one statement, which is sent as one text. */
export const mostRows = 10_000;
export const mostCharacters = 8_000_000;

/** A commit in pieces, each small enough for one statement. */
export interface CommitPieces {
  /** Returns the revision of the commit. Without a row, the perspective has moved since the batch began, and nothing is written. */
  readonly first: Statement;
  /** Whether `first` writes everything. */
  readonly isOne: boolean;
  /** The remaining models and sources, for the revision of the commit. */
  readonly further: (revision: string) => Iterable<Statement>;
}

export function commitPieces(
  { from, to, sources, tables: target }: Omit<PerspectiveCommit, 'models'>,
  models: readonly IndexedModel[],
  { tables, table: { columns }, text: table }: RecordedTables,
): CommitPieces {
  const { name } = tables;
  const segment = target?.segment;
  const modelPieces = [...pieces(models, bodyLength)];
  const sourcePieces = [...pieces(sources)];
  const properties = columns.map(({ name: property }) => [property, columnNameOf(property)] as const);
  const modelRows = (piece: readonly IndexedModel[] = []): string =>
    JSON.stringify(piece.map((model) => modelRow(model, properties)));
  const bodies = (piece: readonly IndexedModel[] = []): string => jsonTexts(piece.map(({ body }) => body));
  const written = [modelRows(modelPieces[0]), bodies(modelPieces[0]), sourceRows(sourcePieces[0])];
  const values = [name, from.revision, from.sequence, to, table, ...written];
  const all = [...values, ...(segment === undefined ? [] : [segment.index])];
  const notice = changeNotice(tables, segment === undefined ? from.revision + 1 : null, models);
  return {
    first: {
      text: commitText(
        name,
        columns,
        segment === undefined ? movedTables : movedSegment,
        notice && `$${all.length + 1}`,
      ),
      values: notice === null ? all : [...all, notice],
    },
    isOne: modelPieces.length <= 1 && sourcePieces.length <= 1,
    *further(revision) {
      const text = insertModels(name, columns, `(SELECT $1::bigint AS revision) moved`, ['$2', '$3']);
      for (const piece of modelPieces.slice(1)) yield { text, values: [revision, modelRows(piece), bodies(piece)] };
      const known = insertSources(name, '(SELECT 1) moved', '$1');
      for (const piece of sourcePieces.slice(1)) yield { text: known, values: [sourceRows(piece)] };
    },
  };
}

function* pieces<T>(items: readonly T[], charactersOf: (item: T) => number = () => 0): Iterable<readonly T[]> {
  let start = 0;
  let characters = 0;
  for (let i = 0; i < items.length; i++) {
    const more = charactersOf(items[i]!);
    if (i > start && (i - start === mostRows || characters + more > mostCharacters)) {
      yield items.slice(start, i);
      start = i;
      characters = 0;
    }
    characters += more;
  }
  if (start < items.length) yield items.slice(start);
}

/** The statements for snapshots, stopped streams and messages, in this order. */
export function furtherStatements(commit: PerspectiveCommit, tables: ModelTables): Statement[] {
  const { rewound, snapshots, resumed, stopped } = commit;
  const { name, segment } = tables;
  const table = tableNamesOf(name).snapshots;
  const statements: Statement[] = [];
  const add = (items: Iterable<readonly unknown[]>, text: string, ...values: (string | number)[]): void => {
    for (const piece of items) statements.push({ text, values: [...values, JSON.stringify(piece)] });
  };
  add(
    pieces(rewound),
    `DELETE FROM ${table} snapshot USING jsonb_to_recordset($1::jsonb) AS rewound (id text, "afterEventId" uuid)
     WHERE snapshot.id = rewound.id AND (rewound."afterEventId" IS NULL OR snapshot.event_id > rewound."afterEventId")`,
  );
  add(
    pieces(snapshots, bodyLength),
    `INSERT INTO ${table} (id, event_id, body, version)
     SELECT id, "eventId", body, version
     FROM json_to_recordset($1::json) AS taken (id text, "eventId" uuid, body text, version bigint)
     ON CONFLICT (id, event_id) DO UPDATE SET body = excluded.body, version = excluded.version`,
  );
  add(
    pieces([...new Set(snapshots.map(({ id }) => id))]),
    `DELETE FROM ${table} snapshot USING jsonb_array_elements_text($1::jsonb) AS taken (id)
     WHERE snapshot.id = taken.id AND snapshot.event_id < (
       SELECT event_id FROM ${table} newer WHERE newer.id = taken.id
       ORDER BY event_id DESC OFFSET ${retainedSnapshots - 1} LIMIT 1)`,
  );
  const stops = stopStatements(segment);
  const of = [name, ...(segment === undefined ? [] : [segment.index])];
  add(pieces(resumed), stops.resume, ...of);
  add(pieces(stopped), stops.stop, ...of);
  return [...statements, ...outgoingStatements(commit.outgoing)];
}

/** The statements for the stopped streams of whole tables, or of a segment. */
function stopStatements(segment: Segment | undefined): { readonly resume: string; readonly stop: string } {
  const [table, columns, values, last] =
    segment === undefined
      ? ['svc_perspectives_stopped', ['perspective'], '$1', '$2']
      : ['svc_segments_stopped', ['name', 'segment'], '$1, $2::integer', '$3'];
  return {
    resume: `DELETE FROM ${table} WHERE (${columns.join(', ')}) = (${values})
     AND stream_id IN (SELECT value::uuid FROM jsonb_array_elements_text(${last}::jsonb) AS resumed (value))`,
    stop: `INSERT INTO ${table} (${columns.join(', ')}, stream_id, event_id, position, error_name, error_message, attempts)
     SELECT ${values}, "streamId", "eventId", position, "errorName", "errorMessage", attempts FROM jsonb_to_recordset(${last}::jsonb)
       AS stop ("streamId" uuid, "eventId" uuid, position bigint, "errorName" text, "errorMessage" text, attempts integer)
     ON CONFLICT (${columns.join(', ')}, stream_id) DO UPDATE SET event_id = excluded.event_id, position = excluded.position,
       error_name = excluded.error_name, error_message = excluded.error_message, attempts = excluded.attempts`,
  };
}

/** The statement that adds messages to the outbox in their order; none without messages. */
export function outgoingStatements(outgoing: readonly OutgoingRecord[] = []): Statement[] {
  if (outgoing.length === 0) return [];
  const rows = outgoing.map(({ id, lane, destination, message, note }, ordinal) => {
    return { ordinal, id, lane, destination, message: message && plainMessage(message), note };
  });
  const text = `INSERT INTO svc_outbox (id, lane, destination, message, note)
     SELECT id, lane, destination, message, note FROM json_to_recordset($1::json)
       AS queued (ordinal int, id uuid, lane text, destination text, message json, note text)
     ORDER BY ordinal`;
  return [{ text, values: [JSON.stringify(rows)] }];
}

const plainColumns = {
  id: 'text',
  key: 'text',
  owner: 'text',
  version: 'bigint',
  last_event_id: 'uuid',
  tenant_id: 'text',
  user_id: 'text',
  organization_id: 'text',
  customer_id: 'text',
  allowed_principals: 'text[]',
  extensions: 'jsonb',
} as const;

/** Advances whole tables. Returns the revision of their changed models. */
const movedTables = `moved AS (
      UPDATE svc_perspectives SET sequence = $4, revision = revision + 1,
        changed = CASE WHEN $6::text = '[]' THEN changed ELSE revision + 1 END
      WHERE name = $1 AND revision = $2 AND sequence = $3 AND definition = $5 AND segments = 1 RETURNING revision
    )`;

/**
 * Advances a segment. The revision of its models is that of the tables, which does not change, so that segments do not wait for each other. While
 * a migration copies the models, each commit needs its own, greater than that of every earlier commit.
 */
const movedSegment = `advanced AS (
      UPDATE svc_segments own SET sequence = $4, revision = own.revision + 1 FROM svc_perspectives whole
      WHERE own.name = $1 AND own.segment = $9 AND own.revision = $2 AND own.sequence = $3
        AND whole.name = $1 AND whole.definition = $5
      RETURNING whole.revision
    ), copied AS (
      UPDATE svc_perspectives SET copied = copied + 1
      WHERE name = $1 AND copied IS NOT NULL AND EXISTS (SELECT FROM advanced) RETURNING copied
    ), moved AS (
      SELECT coalesce((SELECT copied FROM copied), revision) AS revision FROM advanced
    )`;

/** `notice`: the parameter with the notification of readers; null: there is none. */
function commitText(name: string, columns: readonly PerspectiveColumn[], moved: string, notice: string | null): string {
  return `
    WITH ${moved}, written AS (
      ${insertModels(name, columns, 'moved', ['$6', '$7'])}
    ), known AS (
      ${insertSources(name, 'moved', '$8')}
    )
    SELECT revision, ${withoutWaiting}${notice === null ? '' : `, pg_notify('${modelsChannel}', ${notice})`} FROM moved`;
}

/**
 * Models can be rebuilt from the events, so committing them does not wait for the disk. A crash of the server may undo the last commits, but
 * never a commit without all later ones, such as the events that report it. The setting is part of the statement, so that a commit of one
 * statement needs one round trip; it ends with the transaction.
 */
const withoutWaiting = `set_config('synchronous_commit', 'off', true)`;

/** Inserts the sources in the parameter `rows`, if `moved` has a row. */
function insertSources(name: string, moved: string, rows: string): string {
  return `INSERT INTO ${tableNamesOf(name).sources} AS known (id, stream_id, block, events, last_event_id)
      SELECT given.* FROM ${moved}, jsonb_to_recordset(${rows}::jsonb)
        AS given (id text, stream_id uuid, block bigint, events bigint, last_event_id uuid)
      ON CONFLICT (id, stream_id, block) DO UPDATE SET events = known.events | excluded.events,
        last_event_id = greatest(known.last_event_id, excluded.last_event_id)
      WHERE known.events | excluded.events <> known.events OR known.last_event_id < excluded.last_event_id`;
}

function sourceRows(sources: readonly ModelSource[] = []): string {
  return JSON.stringify(
    sources.map(({ id, streamId, block, events, lastEventId }) => {
      return { id, stream_id: streamId, block, events, last_event_id: lastEventId };
    }),
  );
}

function bodyLength({ body }: { readonly body: string | null }): number {
  return body?.length ?? 0;
}

/** Inserts the models in the parameters, rows and their bodies, if `moved` has a row, with the revision of that row. */
function insertModels(
  name: string,
  columns: readonly PerspectiveColumn[],
  moved: string,
  [rows, bodies]: readonly [rows: string, bodies: string],
): string {
  const plain = [...Object.keys(plainColumns), 'body'];
  const names = [...plain, ...columns.map(indexedColumn), 'revision'];
  const given = [
    ...Object.entries(plainColumns).map(([column, type]) => `${column} ${type}`),
    ...columns.map(
      (column) => `${indexedColumn(column)} ${column.type === 'timestamp' ? 'bigint' : columnTypes[column.type]}`,
    ),
  ];
  const taken = [
    ...plain.map((column) => `given.${column}`),
    ...columns.map((column) =>
      column.type === 'timestamp' ? timestampOf(`given.${indexedColumn(column)}`) : `given.${indexedColumn(column)}`,
    ),
    'moved.revision',
  ];
  const updates = names.filter((column) => column !== 'id').map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${tableNamesOf(name).models} (${names.join(', ')})
      SELECT ${taken.join(', ')} FROM ${moved}, ${rowsWithTexts(rows, given.join(', '), bodies, { alias: 'given', text: 'body' })}
      ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`;
}

/** `properties`: the indexed properties, and the names of their columns. */
function modelRow(
  { id, key, owner, version, lastEventId, scope, indexed }: IndexedModel,
  properties: readonly (readonly [property: string, column: string])[],
): object {
  const values: Record<string, unknown> = {};
  for (const [property, column] of properties) values[column] = indexed[property] ?? null;
  return { id, key, owner, version, last_event_id: lastEventId, ...scopeRow(scope), ...values };
}
