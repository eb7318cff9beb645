/** The tables of perspectives: the one place where their DDL is written. */
import {
  createTable,
  modelsDefinition,
  tableNamesOf,
  type IndexedType,
  type ModelTables,
  type PerspectiveTable,
} from '@svc/core/storage';
import { tableDialect } from './migrations/table-sql.js';

export const columnTypes: Readonly<Record<IndexedType, string>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  timestamp: 'timestamptz',
};

/** Milliseconds since 1970 as a timestamp, exactly. */
export function timestampOf(milliseconds: string): string {
  return `(timestamptz 'epoch' + ${milliseconds} * interval '1 millisecond')`;
}

export function createTables(table: PerspectiveTable, name: string): string {
  const { models, sources, snapshots } = tableNamesOf(name);
  return `
    ${createTable(modelsDefinition(table), models, tableDialect).join(';\n')};

    CREATE TABLE ${sources} (
      id            text COLLATE "C" NOT NULL, -- that of the model
      stream_id     uuid NOT NULL,
      block         bigint NOT NULL, -- of positions in the stream
      events        bigint NOT NULL, -- a bit for each position at which the model has an event
      last_event_id uuid NOT NULL,
      PRIMARY KEY (id, stream_id, block)
    );
    CREATE INDEX ON ${sources} (stream_id);

    CREATE TABLE ${snapshots} (
      id       text COLLATE "C" NOT NULL, -- that of the model
      event_id uuid NOT NULL,
      body     text,
      version  bigint NOT NULL,
      PRIMARY KEY (id, event_id)
    );`;
}

/** The tables to lock for a change, in the order in which all hosts lock them. */
export function lockedNames(...tables: readonly ModelTables[]): string[] {
  return tables.flatMap(({ name }) => Object.values(tableNamesOf(name)) as string[]);
}
