/** The PostgreSQL dialect for creating tables from definitions. */
import {
  quoted,
  type ColumnDefinition,
  type ColumnType,
  type TableDefinition,
  type TableDialect,
} from '@svc/core/storage';

const types: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  texts: 'text[]',
  integer: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  uuid: 'uuid',
  timestamp: 'timestamptz',
  json: 'json',
};

export const tableDialect: TableDialect = {
  /** Texts are ordered by code point, as in every storage. */
  columnSql({ name, type, required = false }) {
    const collation = type === 'text' ? ' COLLATE "C"' : '';
    return `${quoted(name)} ${types[type]}${collation}${required ? ' NOT NULL' : ''}`;
  },
  /** The database names indexes, so that tables can replace each other. Rows without a value come first in lists. */
  createIndex({ columns }, table, names) {
    const required = new Set(columns.filter((column) => column.required).map(({ name }) => name));
    const parts = names.map((name) => `${quoted(name)}${required.has(name) ? '' : ' NULLS FIRST'}`);
    return `CREATE INDEX ON ${quoted(table)} (${parts.join(', ')})`;
  },
  tableOptions: '',
};

/** The column names of `to`, and for each its SQL expression over a row `old` of `from`. */
export function copiedColumns(
  from: TableDefinition,
  to: TableDefinition,
): { names: string; values: string; updates: string } {
  const known = new Map(from.columns.map((column) => [column.name, column]));
  const names = to.columns.map(({ name }) => quoted(name));
  const values = to.columns.map((column) => {
    const before = known.get(column.name);
    const isKept = before !== undefined && JSON.stringify(before.fill) === JSON.stringify(column.fill);
    if (isKept || column.fill === undefined) return before === undefined ? 'NULL' : `old.${quoted(column.name)}`;
    return fillSql(column);
  });
  const updates = names.map((name) => `${name} = excluded.${name}`);
  return { names: names.join(', '), values: values.join(', '), updates: updates.join(', ') };
}

export function typeOf(definition: TableDefinition, name: string): string {
  return types[definition.columns.find((column) => column.name === name)!.type];
}

function fillSql({ type, fill }: ColumnDefinition): string {
  const path = fill!.path.map((part) => `'${part.replaceAll("'", "''")}'`).join(', ');
  // Only the extracted value is converted to text: the rest may contain characters that PostgreSQL cannot store as text.
  const value = `(old.${quoted(fill!.column)}::json #> ARRAY[${path}])`;
  return type === 'json' ? value : `(${value} #>> '{}')::${types[type]}`;
}
