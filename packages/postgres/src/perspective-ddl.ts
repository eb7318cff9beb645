/** The tables of one perspective: the one place where their DDL is written. */
import { columnNameOf, tableNameOf, type ColumnType, type PerspectiveColumn } from '@svc/core';

/** The tables of a perspective, by what they hold; quoted. */
export interface TableNames {
  readonly models: string;
  readonly sources: string;
  readonly snapshots: string;
}

export function namesOf(perspective: string): TableNames {
  const name = tableNameOf(perspective);
  return { models: `svc_perspective_${name}`, sources: `svc_sources_${name}`, snapshots: `svc_snapshots_${name}` };
}

export const columnTypes: Readonly<Record<ColumnType, string>> = {
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

/** Texts are ordered by code point, as everywhere else; indexes have no names, so that tables can take each other's place. */
export function createTables(perspective: string, columns: readonly PerspectiveColumn[]): string {
  const { models, sources, snapshots } = namesOf(perspective);
  const own = columns.map((column) => `${quoted(column)} ${columnTypes[column.type]}${collation(column.type)},`);
  const indexes = columns.map((column) => `CREATE INDEX ON ${models} (${quoted(column)} NULLS FIRST, key);`);
  return `
    CREATE TABLE ${models} (
      key                text COLLATE "C" PRIMARY KEY,
      body               text, -- null: there is none any more
      version            bigint NOT NULL,
      last_event_id      uuid NOT NULL,
      revision           bigint NOT NULL, -- of the perspective, when this row was last written
      tenant_id          text,
      user_id            text,
      organization_id    text,
      customer_id        text,
      allowed_principals text[],
      ${own.join('\n      ')}
      extensions         json -- what else the scope holds; null: it has none
    );
    ${indexes.join('\n    ')}

    CREATE TABLE ${sources} (
      key           text COLLATE "C" NOT NULL,
      stream_id     uuid NOT NULL,
      last_event_id uuid NOT NULL,
      PRIMARY KEY (key, stream_id)
    );
    CREATE INDEX ON ${sources} (stream_id);

    CREATE TABLE ${snapshots} (
      key      text COLLATE "C" NOT NULL,
      event_id uuid NOT NULL,
      body     text,
      version  bigint NOT NULL,
      scope    json,
      PRIMARY KEY (key, event_id)
    );`;
}

export function dropTables(perspective: string): string {
  const { models, sources, snapshots } = namesOf(perspective);
  return `DROP TABLE IF EXISTS ${models}, ${sources}, ${snapshots}`;
}

/** Puts the tables of one in the place of those of the other, which are dropped. */
export function swapTables(perspective: string, by: string): string {
  const [live, beside] = [namesOf(perspective), namesOf(by)];
  const kinds = ['models', 'sources', 'snapshots'] as const;
  return `${dropTables(perspective)}; ${kinds.map((kind) => `ALTER TABLE ${beside[kind]} RENAME TO ${live[kind]};`).join(' ')}`;
}

/** Nobody else reads or writes them until the transaction ends. Everybody takes them in this order. */
export function lockTables(...perspectives: readonly string[]): string {
  const all = perspectives.flatMap((perspective) => Object.values(namesOf(perspective)) as string[]);
  return `LOCK TABLE ${all.join(', ')} IN ACCESS EXCLUSIVE MODE`;
}

function collation(type: ColumnType): string {
  return type === 'text' ? ' COLLATE "C"' : '';
}
