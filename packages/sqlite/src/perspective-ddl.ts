/** The tables of perspectives: the one place where their DDL is written. */
import { newId } from '@svc/core';
import {
  backupTable,
  columnNameOf,
  modelsDefinition,
  nextTable,
  tableNamesOf,
  type PerspectiveColumn,
  type PerspectiveTable,
} from '@svc/core/storage';
import { createTable } from './migrations/table-sql.js';

export function quoted(column: PerspectiveColumn): string {
  return `"${columnNameOf(column.name)}"`;
}

/** Tables take each other's place and their indexes keep their names: so each has one that no other ever has. */
export function createTables(table: PerspectiveTable): string {
  const own = newId().replaceAll('-', '');
  const { models, sources, snapshots } = tableNamesOf(table.perspective);
  return `
    ${createTable(modelsDefinition(table), models).join(';\n')};

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

export function dropTables(perspective: string): string {
  const names: readonly string[] = Object.values(tableNamesOf(perspective));
  return names.map((name) => `DROP TABLE IF EXISTS ${name};`).join(' ');
}

/** What was being copied of models is worth nothing when they are made anew; whoever copies them begins again. */
export function dropCopy(perspective: string): string {
  return `DROP TABLE IF EXISTS ${nextTable(tableNamesOf(perspective).models)};`;
}

export function dropBackup(perspective: string): string {
  return `DROP TABLE IF EXISTS ${backupTable(tableNamesOf(perspective).models)};`;
}

/** Puts the tables of one in the place of those of the other, which are dropped. */
export function swapTables(perspective: string, by: string): string {
  return `${dropTables(perspective)} ${renameTables(by, perspective)}`;
}

export function renameTables(perspective: string, to: string): string {
  const [old, next] = [tableNamesOf(perspective), tableNamesOf(to)];
  const kinds = ['models', 'sources', 'snapshots'] as const;
  return kinds.map((kind) => `ALTER TABLE ${old[kind]} RENAME TO ${next[kind]};`).join(' ');
}
