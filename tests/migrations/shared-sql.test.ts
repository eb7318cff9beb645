/** The SQL that core writes for all databases, on an SQLite database in memory. */
import { createRequire } from 'node:module';
import {
  backupTable,
  createTable,
  extendTable,
  insertBatchStatement,
  lastRevision,
  nextTable,
  quoted,
  readBatchesStatement,
  removeGone,
  replaceBatchStatement,
  restoreBackup,
  swapTables,
  toBatch,
  writtenSince,
  type ColumnDefinition,
  type MigrationBatch,
  type SqlStatement,
  type TableDefinition,
  type TableDialect,
} from '@svc/core/storage';
import { newId } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

type SqlValue = string | number | null;
type Row = Record<string, SqlValue>;

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: SqlValue[]): Row[] };
  close(): void;
}

let database: Database;
beforeEach(() => {
  const engine = (process.getBuiltinModule?.('node:sqlite') ??
    createRequire(import.meta.url)('@photostructure/sqlite')) as { DatabaseSync: new (file: string) => Database };
  database = new engine.DatabaseSync(':memory:');
});
afterEach(() => database.close());

const rows = (sql: string, ...values: SqlValue[]): Row[] =>
  database
    .prepare(sql)
    .all(...values)
    .map((row) => Object.assign({}, row));
const run = (statements: readonly string[]): void => {
  for (const statement of statements) database.exec(statement);
};

let indexes = 0;
beforeEach(() => void (indexes = 0));
const dialect: TableDialect = {
  columnSql: ({ name, required = false }) => `${quoted(name)} TEXT${required ? ' NOT NULL' : ''}`,
  createIndex: (definition, table, columns) =>
    `CREATE INDEX ${quoted(`${definition.table}_${++indexes}`)} ON ${quoted(table)} (${columns.map(quoted).join(', ')})`,
  tableOptions: ' STRICT',
};

// Names that are keywords of SQL must be quoted.
const [id, revision, note]: ColumnDefinition[] = [
  { name: 'order', type: 'text', required: true },
  { name: 'group', type: 'integer' },
  { name: 'select', type: 'text' },
];
const definition: TableDefinition = { table: 'table', key: 'order', revision: 'group', columns: [id!, revision!] };

const columnsOf = (table: string): Row[] => rows(`SELECT name, "notnull", pk FROM pragma_table_info('${table}')`);
const indexesOf = (table: string): unknown[] =>
  rows(`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL`).map(
    ({ name }) =>
      rows(`SELECT name FROM pragma_index_info('${name}') ORDER BY seqno`).map(({ name: column }) => column),
  );

describe('a table', () => {
  it('is created with its columns, its key, its options and its indexes, under any name', () => {
    run(createTable({ ...definition, indexes: [['group'], ['group', 'order']] }, 'other', dialect));
    expect(columnsOf('other')).toEqual([
      { name: 'order', notnull: 1, pk: 1 },
      { name: 'group', notnull: 0, pk: 0 },
    ]);
    expect(indexesOf('other')).toEqual([['group'], ['group', 'order']]);
    expect(rows("SELECT strict FROM pragma_table_list('other')")).toEqual([{ strict: 1 }]);
  });

  it('can be without indexes', () => {
    run(createTable(definition, 'table', dialect));
    expect(indexesOf('table')).toEqual([]);
  });

  it('is extended by the columns and indexes that it lacks', () => {
    const old: TableDefinition = { ...definition, indexes: [['group']] };
    run(createTable(old, 'table', dialect));
    database.exec(`INSERT INTO "table" VALUES ('a', '1')`);
    run(
      extendTable(old, { ...definition, columns: [note!, id!, revision!], indexes: [['group'], ['select']] }, dialect),
    );
    expect(rows('SELECT * FROM "table"')).toEqual([{ order: 'a', group: '1', select: null }]);
    expect(indexesOf('table')).toEqual([['group'], ['select']]);
  });

  it('is not changed if it lacks nothing', () => {
    const old: TableDefinition = { ...definition, indexes: [['group']] };
    expect(extendTable(old, old, dialect)).toEqual([]);
    expect(extendTable(old, definition, dialect)).toEqual([]);
  });
});

describe('the tables of a rewrite', () => {
  const insert = (table: string, ...values: (readonly [string, number])[]): void => {
    for (const [key, at] of values) database.exec(`INSERT INTO ${quoted(table)} VALUES ('${key}', ${at})`);
  };
  const keysIn = (table: string): unknown[] =>
    rows(`SELECT "order" FROM ${quoted(table)} ORDER BY 1`).map((row) => row['order']);
  const create = (...tables: string[]): void => {
    for (const table of tables)
      database.exec(`CREATE TABLE ${quoted(table)} ("order" TEXT PRIMARY KEY, "group" INTEGER)`);
  };
  const [next, backup] = [nextTable('table'), backupTable('table')];

  it('have a greatest revision, which is 0 without rows', () => {
    create('table', next);
    expect(rows(lastRevision(definition))).toEqual([{ revision: 0 }]);
    insert('table', ['a', 3], ['b', 12], ['c', 7]);
    insert(next, ['a', 99]);
    expect(rows(lastRevision(definition))).toEqual([{ revision: 12 }]);
    expect(rows(lastRevision(definition, next))).toEqual([{ revision: 99 }]);
  });

  it('lose rows that were deleted during the copy', () => {
    create('table', next);
    insert('table', ['a', 1], ['c', 3]);
    insert(next, ['a', 1], ['b', 2], ['c', 3]);
    run([removeGone(definition, next)]);
    expect(keysIn(next)).toEqual(['a', 'c']);
    expect(keysIn('table')).toEqual(['a', 'c']);
  });

  it('are not compared if they have the same number of rows', () => {
    create('table', next);
    insert('table', ['a', 1], ['c', 3]);
    insert(next, ['a', 1], ['b', 2]);
    run([removeGone(definition, next)]);
    expect(keysIn(next)).toEqual(['a', 'b']);
  });

  it('are swapped, and the replaced table remains instead of an earlier backup', () => {
    create('table', next, backup);
    for (const table of ['table', next, backup]) insert(table, [table, 1]);
    run(swapTables('table'));
    expect(keysIn('table')).toEqual([next]);
    expect(keysIn(backup)).toEqual(['table']);
    expect(() => keysIn(next)).toThrow('no such table');
    create(next);
    database.exec(`DROP TABLE ${quoted(backup)}`);
    run(swapTables('table'));
    expect(keysIn(backup)).toEqual([next]);
  });

  it('have rows that were written since the backup', () => {
    create('table', backup);
    insert(backup, ['a', 1], ['b', 5]);
    insert('table', ['a', 1], ['b', 5], ['c', 6], ['d', 9]);
    expect(rows(`SELECT old."order" ${writtenSince(definition)} ORDER BY 1`)).toEqual([{ order: 'c' }, { order: 'd' }]);
  });

  it('are one table again after a rollback, without the rows that were deleted since', () => {
    create('table', backup);
    insert(backup, ['a', 1], ['b', 5], ['c', 6]);
    insert('table', ['a', 1], ['c', 6]);
    run(restoreBackup({ ...definition, columns: [] }));
    expect(keysIn('table')).toEqual(['a', 'c']);
    expect(() => keysIn(backup)).toThrow('no such table');
  });
});

describe('a batch', () => {
  beforeEach(() =>
    database.exec('CREATE TABLE svc_migration_batches (stream_id TEXT PRIMARY KEY, version INTEGER, state TEXT)'),
  );
  const execute = ({ text, values }: SqlStatement): Row[] => rows(text, ...values);
  const stored = (): MigrationBatch[] => rows(readBatchesStatement).map(toBatch);
  const batch: MigrationBatch = {
    streamId: newId(),
    version: 3,
    libraryVersion: '0.1.0',
    startedAt: 17,
    items: [{ key: 'a', hash: 'b', kind: 'sql', startedAt: null, result: null }],
    isCompleted: false,
    events: [{ type: 'MigrationBatchStarted', at: 17, body: { totalMigrations: 1 } }],
  };

  it('is the same after it was stored, and batches have the order of their starts', () => {
    const [second, third] = [
      { ...batch, streamId: newId() },
      { ...batch, streamId: newId() },
    ];
    for (const each of [third, batch, second]) execute(insertBatchStatement('?', each));
    expect(stored()).toEqual([batch, second, third]);
  });

  it('is replaced or removed only if it is unchanged since it was read', () => {
    const other = { ...batch, streamId: newId() };
    for (const each of [batch, other]) execute(insertBatchStatement('?', each));
    const next = { ...batch, version: 4, events: [] };
    expect(execute(replaceBatchStatement('?', batch, next))).toHaveLength(1);
    expect(stored()).toEqual([next, other]);
    for (const after of [{ ...next, version: 5 }, null]) {
      expect(execute(replaceBatchStatement('?', batch, after))).toEqual([]);
    }
    expect(stored()).toEqual([next, other]);
    expect(execute(replaceBatchStatement('?', next, null))).toHaveLength(1);
    expect(stored()).toEqual([other]);
  });

  it('is bound to the parameters of each database', () => {
    for (const mark of ['$', '?'] as const) {
      const statements = [
        insertBatchStatement(mark, batch),
        replaceBatchStatement(mark, batch, batch),
        replaceBatchStatement(mark, batch, null),
      ];
      for (const { text, values } of statements) {
        const used = [...text.matchAll(/[$?](\d)/g)].map(([parameter]) => parameter);
        expect(used.toSorted()).toEqual(values.map((_, i) => `${mark}${i + 1}`));
      }
    }
  });
});
