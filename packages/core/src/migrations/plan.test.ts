import { describe, expect, it } from 'vitest';
import { MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { appliedRecord } from './item-records.js';
import { libraryVersion } from './library-version.js';
import type { MigrationDatabase } from './migration-database.js';
import { hashed, type HashedItem, type MigrationItem, type SqlItem, type TableItem } from './migration-item.js';
import type { MigrationRecord } from './migration-record.js';
import { newlyUnchanged, planOf, type PlannedItem } from './plan.js';
import { definitionText, type ColumnDefinition, type TableDefinition } from './table-definition.js';

const { Applied, Updated, Skipped, Failed, MigratingInBackground } = MigrationStatus;
const { DirectDdl, ColumnCopy, EventReplay } = MigrationStrategy;

const steps = ['CREATE TABLE trial (id int)', 'ALTER TABLE trial ADD a int', 'ALTER TABLE trial ADD b int'];
const sqlItem = (count: number, fields: Partial<SqlItem> = {}): SqlItem => ({
  kind: 'sql',
  key: 'infrastructure/trial',
  creates: 'trial',
  steps: steps.slice(0, count),
  ...fields,
});

const note: ColumnDefinition = { name: 'note', type: 'text' };
const filled: ColumnDefinition = { ...note, fill: { column: 'body', path: ['note'] } };
const orders = (columns: readonly ColumnDefinition[] = [], more: Partial<TableDefinition> = {}): TableDefinition => ({
  table: 'orders',
  key: 'key',
  revision: 'revision',
  columns: [
    { name: 'key', type: 'text' },
    { name: 'body', type: 'json' },
    { name: 'revision', type: 'integer' },
    ...columns,
  ],
  ...more,
});
const tableItem = (definition: TableDefinition): TableItem => ({
  kind: 'table',
  key: 'perspective/Orders',
  definition,
});

/** A database with tables. It records for which of them it was asked. */
function databaseWith(tables: Readonly<Record<string, readonly string[]>> = {}) {
  const asked: (readonly string[])[] = [];
  const database = {
    existing(wanted: readonly string[]) {
      asked.push(wanted);
      return Promise.resolve(new Map(Object.entries(tables).filter(([table]) => wanted.includes(table))));
    },
    tableSql: (old: TableDefinition | null, next: TableDefinition) => [
      `from ${old?.columns.length ?? 'nothing'} to ${next.columns.length} columns`,
    ],
  } as unknown as MigrationDatabase;
  return { database, asked };
}

/** The record of an item that a program has applied. */
async function recorded(item: MigrationItem, fields: Partial<MigrationRecord> = {}): Promise<MigrationRecord> {
  const unrecorded = { ...(await hashed(item)), record: null, oldHash: null, description: '' };
  return { ...appliedRecord(unrecorded, Applied, DirectDdl, 0), ...fields };
}

const plan = async (
  items: readonly MigrationItem[],
  records: readonly MigrationRecord[] | null,
  database = databaseWith().database,
) => await planOf(await Promise.all(items.map(hashed)), records, database);

async function planned(item: MigrationItem, record?: MigrationRecord, tables = {}): Promise<PlannedItem> {
  const [first] = await plan([item], record === undefined ? [] : [record], databaseWith(tables).database);
  return first!;
}

describe('a plan', () => {
  it('has every item in its order, with its hashes and its record', async () => {
    const items = [tableItem(orders()), sqlItem(2), sqlItem(1, { key: 'infrastructure/other', creates: 'other' })];
    const hashes = await Promise.all(items.map(hashed));
    const record = await recorded(items[1]!);
    const [first, second, third] = await plan(items, [record]);
    expect(first).toMatchObject({ ...hashes[0], record: null, oldHash: null });
    expect(second).toMatchObject({ ...hashes[1], record, oldHash: record.hash });
    expect(third).toMatchObject({ ...hashes[2], record: null, oldHash: null });
  });

  it('of a database without the table of records applies everything', async () => {
    const actions = (await plan([sqlItem(1), tableItem(orders())], null)).map(({ action }) => action);
    expect(actions).toEqual(['apply', 'apply']);
  });

  it('looks only for the tables of items that were never applied', async () => {
    const { database, asked } = databaseWith();
    const other = sqlItem(1, { key: 'infrastructure/other', creates: 'other' });
    const failed = await recorded(other, { hash: null });
    await plan([sqlItem(1), other, tableItem(orders())], [await recorded(sqlItem(1)), failed], database);
    expect(asked).toEqual([['other', 'orders']]);
    await plan([sqlItem(1)], [await recorded(sqlItem(1))], database);
    expect(asked).toHaveLength(1);
  });
});

describe('SQL', () => {
  it('is skipped if it is unchanged', async () => {
    expect(await planned(sqlItem(2), await recorded(sqlItem(2)))).toMatchObject({
      action: 'skip',
      description: 'Unchanged.',
    });
  });

  it('that was never applied gets all steps', async () => {
    const first = { action: 'apply', status: Applied, sql: steps, description: 'Applied for the first time.' };
    expect(await planned(sqlItem(3))).toMatchObject(first);
    expect(await planned(sqlItem(3), await recorded(sqlItem(3), { hash: null, status: Failed }))).toMatchObject(first);
  });

  it('whose table exists without a record gets all steps but the first', async () => {
    expect(await planned(sqlItem(3), undefined, { trial: ['id'] })).toMatchObject({
      action: 'apply',
      status: Applied,
      sql: steps.slice(1),
      description: 'It already existed; recorded.',
    });
  });

  it.each([
    [1, 'Updated by 2 steps.'],
    [2, 'Updated by 1 step.'],
  ])('of which %s step(s) were run gets the others', async (count, description) => {
    expect(await planned(sqlItem(3), await recorded(sqlItem(count)))).toMatchObject({
      action: 'apply',
      status: Updated,
      sql: steps.slice(count),
      description,
    });
  });

  it('whose steps were changed after they were run is rejected', async () => {
    expect(
      await planned(sqlItem(3), await recorded(sqlItem(1, { steps: ['CREATE TABLE other (id int)'] }))),
    ).toMatchObject({
      action: 'refuse',
      description: 'Its steps were changed after they were run. Restore them, and add a new step.',
    });
  });

  it('that a newer program has changed is skipped', async () => {
    const newer = await recorded(sqlItem(3), { libraryVersion: '99.0.0' });
    const description = 'Skipped: a newer program (library 99.0.0) has changed it.';
    expect(await planned(sqlItem(2), newer)).toMatchObject({ action: 'skip', description });
    const { hash } = await hashed(sqlItem(2));
    const sameLibrary = await recorded(sqlItem(3), { previousHashes: ['oldest', hash] });
    expect(await planned(sqlItem(2), sameLibrary)).toMatchObject({
      action: 'skip',
      description: `Skipped: a newer program (library ${libraryVersion}) has changed it.`,
    });
  });
});

describe('a table', () => {
  it('is skipped if it is unchanged', async () => {
    const record = await recorded(tableItem(orders()));
    expect(await planned(tableItem(orders()), record)).toMatchObject({ action: 'skip', description: 'Unchanged.' });
  });

  it('that does not exist is created', async () => {
    expect(await planned(tableItem(orders([note])))).toMatchObject({
      action: 'apply',
      status: Applied,
      sql: ['from nothing to 4 columns'],
      description: 'Applied for the first time.',
    });
  });

  it('that exists without a record is recorded, if it has every column', async () => {
    const tables = { orders: ['key', 'body', 'revision', 'note', 'another'] };
    expect(await planned(tableItem(orders([note])), undefined, tables)).toMatchObject({
      action: 'apply',
      status: Applied,
      sql: [],
      description: 'It already existed; recorded.',
    });
  });

  it('that exists without a record, and lacks a column, is extended', async () => {
    const tables = { orders: ['key', 'body', 'revision'] };
    expect(await planned(tableItem(orders([note])), undefined, tables)).toMatchObject({
      action: 'apply',
      status: Applied,
      sql: ['from 3 to 4 columns'],
      description: 'It already existed; recorded.',
    });
  });

  it('that exists without a record is rewritten if a column must be filled', async () => {
    const tables = { orders: ['key', 'body', 'revision'] };
    expect(await planned(tableItem(orders([filled])), undefined, tables)).toMatchObject({
      action: 'rewrite',
      strategy: ColumnCopy,
      from: { ...orders(), columns: orders().columns },
    });
  });

  it('that has changed is extended in place if that is enough', async () => {
    expect(await planned(tableItem(orders([note])), await recorded(tableItem(orders())))).toMatchObject({
      action: 'apply',
      status: Updated,
      sql: ['from 3 to 4 columns'],
      description: 'Updated because its hash changed.',
    });
  });

  it.each([
    [ColumnCopy, 'Its rows are copied', orders([filled])],
    [EventReplay, 'Its rows are replayed from events', orders([], { version: '2' })],
  ])('that has changed is rewritten otherwise (%s)', async (strategy, how, definition) => {
    const item = tableItem(definition);
    expect(await planned(item, await recorded(tableItem(orders())))).toMatchObject({
      action: 'rewrite',
      item,
      strategy,
      from: JSON.parse(definitionText(orders())) as object,
      description: `${how} in the background; the old table serves until then.`,
    });
  });

  it('whose first migration has failed is created', async () => {
    const failed = await recorded(tableItem(orders()), { hash: null, definition: null, status: Failed });
    expect(await planned(tableItem(orders()), failed)).toMatchObject({ action: 'apply', status: Applied });
  });

  it('whose record has its definition but no hash counts as applied for the first time', async () => {
    const adopted = await recorded(tableItem(orders()), { hash: null });
    expect(await planned(tableItem(orders([note])), adopted)).toMatchObject({
      status: Applied,
      sql: ['from 3 to 4 columns'],
      description: 'It already existed; recorded.',
    });
  });

  it('that a newer program has changed is skipped, if this one can work with it', async () => {
    const newer = await recorded(tableItem(orders([note])), { libraryVersion: '99.0.0' });
    expect(await planned(tableItem(orders()), newer)).toMatchObject({
      action: 'skip',
      description: 'Skipped: a newer program (library 99.0.0) has changed it.',
    });
    const { hash } = await hashed(tableItem(orders()));
    const sameLibrary = await recorded(tableItem(orders([note])), { previousHashes: [hash] });
    expect(await planned(tableItem(orders()), sameLibrary)).toMatchObject({ action: 'skip' });
  });

  it('that a newer program has changed so that this one cannot work with it stops the start', async () => {
    const newer = await recorded(tableItem(orders()), { libraryVersion: '99.0.0' });
    await expect(planned(tableItem(orders([note])), newer)).rejects.toMatchObject({
      code: 'SVC_SCHEMA_TOO_NEW',
      message: expect.stringContaining(
        `This program (library ${libraryVersion}) cannot work with perspective/Orders: a newer program has changed it.`,
      ) as string,
    });
  });

  it('of a perspective that a newer program has changed is skipped always: hosts use other tables', async () => {
    const perspective = { perspective: 'Orders' };
    const newer = await recorded(tableItem(orders([], perspective)), { libraryVersion: '99.0.0' });
    expect(await planned(tableItem(orders([note], perspective)), newer)).toMatchObject({ action: 'skip' });
  });
});

describe('a record that requires a version of the library', () => {
  const planWith = async (version: string, requiresVersion: string | null) =>
    await planOf([], [await recorded(sqlItem(1), { requiresVersion })], databaseWith().database, version);

  it('stops the start of an older one, even if this program does not have the item', async () => {
    await expect(planWith('0.1.9', '0.2.0')).rejects.toMatchObject({
      code: 'SVC_SCHEMA_TOO_NEW',
      message:
        'This program (library 0.1.9) cannot work with infrastructure/trial: it needs version 0.2.0. Deploy the newer program again, or undo its change: svc migrate rollback infrastructure/trial.',
    });
  });

  it.each(['0.2.0', '0.1.0', null])('does not stop version 0.2.0 if it requires %s', async (requires) => {
    expect(await planWith('0.2.0', requires)).toEqual([]);
  });
});

describe('items that are recorded as Skipped at this start', () => {
  const item = { item: sqlItem(1), hash: 'same', stepHashes: [] } satisfies HashedItem;
  const unchangedWith = (status: MigrationRecord['status'], oldHash: string | null = 'same') =>
    newlyUnchanged([{ ...item, oldHash, record: { status } as MigrationRecord, action: 'skip', description: '' }]);

  it('are the applied ones whose hash is unchanged', () => {
    const skipped = [{ key: 'infrastructure/trial', hash: 'same' }];
    expect(unchangedWith(Applied)).toEqual(skipped);
    expect(unchangedWith(Updated)).toEqual(skipped);
  });

  it('are not those with another hash, or without a record', () => {
    expect(unchangedWith(Applied, 'other')).toEqual([]);
    expect(unchangedWith(Updated, null)).toEqual([]);
    expect(newlyUnchanged([{ ...item, oldHash: 'same', record: null, action: 'skip', description: '' }])).toEqual([]);
  });

  it.each([Skipped, Failed, MigratingInBackground])('are not those with the status %s', (status) =>
    expect(unchangedWith(status)).toEqual([]),
  );
});
