/** The tables of one perspective: the one place where their DDL is written. */
import { columnNameOf, newId, tableNameOf, type ColumnType, type PerspectiveColumn } from '@svc/core';

/** The tables of a perspective, by what they hold. */
export interface TableNames {
  readonly models: string;
  readonly sources: string;
  readonly snapshots: string;
}

export function namesOf(perspective: string): TableNames {
  const name = tableNameOf(perspective);
  return { models: `svc_perspective_${name}`, sources: `svc_sources_${name}`, snapshots: `svc_snapshots_${name}` };
}

/** Times are milliseconds since 1970, booleans 0 and 1, decimals texts in the order of the numbers. */
const columnTypes: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'TEXT',
  boolean: 'INTEGER',
  timestamp: 'INTEGER',
};

export function quoted(column: PerspectiveColumn): string {
  return `"${columnNameOf(column.name)}"`;
}

/** Tables take each other's place and their indexes keep their names: so each has one that no other ever has. */
export function createTables(perspective: string, columns: readonly PerspectiveColumn[]): string {
  const own = newId().replaceAll('-', '');
  const { models, sources, snapshots } = namesOf(perspective);
  const given = columns.map((column) => `${quoted(column)} ${columnTypes[column.type]},`);
  const indexes = columns.map(
    (column) => `CREATE INDEX "${models}_${columnNameOf(column.name)}_${own}" ON ${models} (${quoted(column)}, key);`,
  );
  return `
    CREATE TABLE ${models} (
      key                TEXT PRIMARY KEY,
      body               TEXT, -- null: there is none any more
      version            INTEGER NOT NULL,
      last_event_id      TEXT NOT NULL,
      revision           INTEGER NOT NULL, -- of the perspective, when this row was last written
      tenant_id          TEXT,
      user_id            TEXT,
      organization_id    TEXT,
      customer_id        TEXT,
      allowed_principals TEXT, -- a list, as JSON
      ${given.join('\n      ')}
      extensions         TEXT -- what else the scope holds, as JSON; null: it has none
    ) STRICT;
    ${indexes.join('\n    ')}

    CREATE TABLE ${sources} (
      key           TEXT NOT NULL,
      stream_id     TEXT NOT NULL,
      last_event_id TEXT NOT NULL,
      PRIMARY KEY (key, stream_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ${sources}_stream_${own} ON ${sources} (stream_id);

    CREATE TABLE ${snapshots} (
      key      TEXT NOT NULL,
      event_id TEXT NOT NULL,
      body     TEXT,
      version  INTEGER NOT NULL,
      scope    TEXT,
      PRIMARY KEY (key, event_id)
    ) STRICT;`;
}

export function dropTables(perspective: string): string {
  const names: readonly string[] = Object.values(namesOf(perspective));
  return names.map((name) => `DROP TABLE IF EXISTS ${name};`).join(' ');
}

/** Puts the tables of one in the place of those of the other, which are dropped. */
export function swapTables(perspective: string, by: string): string {
  const [live, beside] = [namesOf(perspective), namesOf(by)];
  const kinds = ['models', 'sources', 'snapshots'] as const;
  const renames = kinds.map((kind) => `ALTER TABLE ${beside[kind]} RENAME TO ${live[kind]};`);
  return `${dropTables(perspective)} ${renames.join(' ')}`;
}
