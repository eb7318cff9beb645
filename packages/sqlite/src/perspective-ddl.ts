/** The tables of perspectives: the one place where their DDL is written. */
import { newId } from '@svc/core';
import { createTable, modelsDefinition, tableNamesOf, type PerspectiveTable } from '@svc/core/storage';
import { tableDialect } from './migrations/table-sql.js';

/** Index names are unique, because tables replace each other and an index is not renamed with its table. */
export function createTables(table: PerspectiveTable, name: string): string {
  const own = newId().replaceAll('-', '');
  const { models, sources, snapshots } = tableNamesOf(name);
  return `
    ${createTable(modelsDefinition(table), models, tableDialect).join(';\n')};

    CREATE TABLE ${sources} (
      id            TEXT NOT NULL, -- that of the model
      stream_id     TEXT NOT NULL,
      block         INTEGER NOT NULL, -- of positions in the stream
      events        INTEGER NOT NULL, -- a bit for each position at which the model has an event
      last_event_id TEXT NOT NULL,
      PRIMARY KEY (id, stream_id, block)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ${sources}_stream_${own} ON ${sources} (stream_id);

    CREATE TABLE ${snapshots} (
      id       TEXT NOT NULL, -- that of the model
      event_id TEXT NOT NULL,
      body     TEXT,
      version  INTEGER NOT NULL,
      PRIMARY KEY (id, event_id)
    ) STRICT;`;
}
