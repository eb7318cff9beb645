import type { ColumnDefinition, SqlItem, TableDefinition } from '@svc/core/storage';
import type { TableItem } from '@svc/core/testing';
import type { TrialDatabase } from './databases.js';

/** A part of the schema, in one step or more. */
export function sqlItem(...steps: string[]): SqlItem {
  return { kind: 'sql', key: 'infrastructure/trial', creates: 'trial', steps };
}

export const firstStep = 'CREATE TABLE trial (id integer PRIMARY KEY)';
export const secondStep = 'ALTER TABLE trial ADD COLUMN name text';

const base: readonly ColumnDefinition[] = [
  { name: 'key', type: 'text', required: true },
  { name: 'body', type: 'json' },
  { name: 'revision', type: 'integer', required: true },
];

/** The table of a perspective, with some columns more. */
export function orders(
  columns: readonly ColumnDefinition[] = [],
  more: Partial<TableDefinition> = {},
): TableDefinition {
  return { table: 'svc_per_orders', key: 'key', revision: 'revision', columns: [...base, ...columns], ...more };
}

export function tableItem(definition: TableDefinition, more: Partial<TableItem> = {}): TableItem {
  return { kind: 'table', key: 'perspective/Orders', definition, ...more };
}

/** Filled from the body. */
export const customer: ColumnDefinition = {
  name: 'customer',
  type: 'text',
  fill: { column: 'body', path: ['customer'] },
};
export const total: ColumnDefinition = {
  name: 'total',
  type: 'integer',
  fill: { column: 'body', path: ['sum', 'total'] },
};
/** Optional, and empty where there are rows already. */
export const note: ColumnDefinition = { name: 'note', type: 'text' };

export const keyOf = (i: number): string => `order-${String(i).padStart(6, '0')}`;

/** Puts rows into the table, numbered from `first` on, each with a revision of its own. */
export async function insertOrders(database: TrialDatabase, count: number, first = 1): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => orderRow(first + i, first + i));
  for (let i = 0; i < rows.length; i += 500) {
    await database.query(
      `INSERT INTO svc_per_orders (key, body, revision) VALUES ${rows.slice(i, i + 500).join(', ')}`,
    );
  }
}

function orderRow(i: number, revision: number): string {
  return `('${keyOf(i)}', '{"customer":"c${i % 7}","sum":{"total":${i}}}', ${revision})`;
}

/** Changes an order as the service does while its table is being rewritten. */
export async function changeOrder(
  database: TrialDatabase,
  i: number,
  newTotal: number,
  revision: number,
): Promise<void> {
  await database.query(
    `INSERT INTO svc_per_orders (key, body, revision) VALUES ('${keyOf(i)}', '{"customer":"changed","sum":{"total":${newTotal}}}', ${revision})
     ON CONFLICT (key) DO UPDATE SET body = excluded.body, revision = excluded.revision`,
  );
}
