import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashed, requireValidItems, type SqlItem, type TableItem } from './migration-item.js';
import { definitionText } from './table-definition.js';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const steps = ['CREATE TABLE trial (id int)', 'ALTER TABLE trial\n  ADD COLUMN name text -- short', 'DROP TABLE trial'];
const sql: SqlItem = { kind: 'sql', key: 'infrastructure/trial', creates: 'trial', steps };
const table: TableItem = {
  kind: 'table',
  key: 'perspective/Orders',
  definition: { table: 'orders', key: 'id', revision: 'id', columns: [{ name: 'id', type: 'text' }] },
};

describe('the hash', () => {
  it('of a table is that of its definition', async () => {
    const hash = sha256(definitionText(table.definition));
    expect(await hashed(table)).toStrictEqual({ item: table, hash, stepHashes: [] });
  });

  it('of SQL is that of all steps, and each step has one for the steps so far', async () => {
    const essences = [steps[0]!, 'ALTER TABLE trial ADD COLUMN name text', steps[2]!];
    const stepHashes = [1, 2, 3].map((count) => sha256(essences.slice(0, count).join('\n')));
    expect(await hashed(sql)).toStrictEqual({ item: sql, hash: stepHashes[2], stepHashes });
    // Hashes are stored: those of other versions must be the same.
    expect(stepHashes[0]).toBe('sha256:d0fef582b2043b339159f35771da52fbd70f6be4ab46e2b80771e25872bb6207');
  });
});

describe('items', () => {
  it('are valid with different keys', () => {
    expect(() => requireValidItems([sql, table, { ...sql, key: 'infrastructure/other' }])).not.toThrow();
    expect(() => requireValidItems([])).not.toThrow();
  });

  it.each([
    [
      'SQL without steps',
      [table, { ...sql, steps: [] }],
      'Cannot run the migration infrastructure/trial: it has no steps.',
    ],
    [
      'two of one key',
      [table, sql, { ...table, definition: { ...table.definition, table: 'other' } }],
      'Two migrations have the key perspective/Orders. Give each its own key.',
    ],
    [
      'a table with an invalid definition',
      [sql, { ...table, definition: { ...table.definition, key: 'none' } }],
      'Cannot run the migration perspective/Orders: it has no column "none".',
    ],
  ])('are rejected: %s', (_what, items, message) => {
    expect(() => requireValidItems(items)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_MIGRATION', message }));
  });
});
