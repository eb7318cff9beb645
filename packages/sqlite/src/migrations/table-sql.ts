/** The SQLite dialect for creating tables from definitions. */
import { newId } from '@svc/core';
import { quoted, type ColumnType, type TableDialect } from '@svc/core/storage';

/** Times are milliseconds since 1970, booleans 0 and 1, decimals sortable texts, lists and JSON texts. */
const types: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  texts: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'TEXT',
  boolean: 'INTEGER',
  uuid: 'TEXT',
  timestamp: 'INTEGER',
  json: 'TEXT',
};

export const tableDialect: TableDialect = {
  columnSql: ({ name, type, required = false }) => `${quoted(name)} ${types[type]}${required ? ' NOT NULL' : ''}`,
  /** Index names must differ between a table and its backup. */
  createIndex({ table: base }, table, columns) {
    const name = `${base}_${newId().slice(-8)}`;
    return `CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${columns.map(quoted).join(', ')})`;
  },
  tableOptions: ' STRICT',
};
