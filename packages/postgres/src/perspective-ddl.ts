/** The tables of perspectives: the one place where their DDL is written. */
import {
  backupTable,
  columnNameOf,
  modelsDefinition,
  nextTable,
  perspectiveOfName,
  tableNamesOf,
  type IndexedType,
  type PerspectiveColumn,
  type PerspectiveTable,
} from '@svc/core/storage';
import { createTable } from './migrations/table-sql.js';

export const columnTypes: Readonly<Record<IndexedType, string>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  timestamp: 'timestamptz',
};

export function quoted(column: PerspectiveColumn): string {
  return `"${columnNameOf(column.name)}"`;
}

export function createTables(table: PerspectiveTable): string {
  const { models, sources, snapshots } = tableNamesOf(table.perspective);
  return `
    ${createTable(modelsDefinition(table), models).join(';\n')};

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

export function dropTables(perspective: string): string {
  const { models, sources, snapshots } = tableNamesOf(perspective);
  return `DROP TABLE IF EXISTS ${models}, ${sources}, ${snapshots}`;
}

/** What was being copied of models is worth nothing when they are made anew; whoever copies them begins again. */
export function dropCopy(perspective: string): string {
  return `DROP TABLE IF EXISTS ${nextTable(tableNamesOf(perspectiveOfName(perspective)).models)}`;
}

export function dropBackup(perspective: string): string {
  return `DROP TABLE IF EXISTS ${backupTable(tableNamesOf(perspective).models)}`;
}

/** Puts the tables of one in the place of those of the other, which are dropped. */
export function swapTables(perspective: string, by: string): string {
  return `${dropTables(perspective)}; ${renameTables(by, perspective)}`;
}

export function renameTables(perspective: string, to: string): string {
  const [old, next] = [tableNamesOf(perspective), tableNamesOf(to)];
  const kinds = ['models', 'sources', 'snapshots'] as const;
  return kinds.map((kind) => `ALTER TABLE ${old[kind]} RENAME TO ${next[kind]};`).join(' ');
}

/** All tables of perspectives, in the order in which everybody locks them. */
export function tablesOf(...perspectives: readonly string[]): string[] {
  return perspectives.flatMap((perspective) => Object.values(tableNamesOf(perspective)) as string[]);
}
