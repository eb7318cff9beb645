import { describe, expect, it } from 'vitest';
import { incompatible, readPending } from './migrations.js';

const of = (sql: string): readonly string[] => incompatible({ key: 'm', sql });

describe('backward-compatible migration order', () => {
  it.each([
    ['an optional column', 'ALTER TABLE orders ADD COLUMN note text'],
    ['a required column with a default', "ALTER TABLE orders ADD COLUMN state text NOT NULL DEFAULT 'open'"],
    ['a new table with required columns', 'CREATE TABLE refunds (id uuid PRIMARY KEY, amount numeric NOT NULL)'],
    ['an index', 'CREATE INDEX CONCURRENTLY ON orders (note)'],
    ['a backfill', "UPDATE orders SET note = 'drop table x; rename to y' WHERE note IS NULL -- drop column note"],
    [
      'a trigger that prevents emptying a table',
      'CREATE TRIGGER t BEFORE TRUNCATE ON orders EXECUTE FUNCTION refuse()',
    ],
    ['a dropped constraint', 'ALTER TABLE orders DROP CONSTRAINT orders_note_check'],
    ['a column that becomes optional', 'ALTER TABLE orders ALTER COLUMN note DROP NOT NULL'],
  ])('lets %s run while the version before it serves', (_what, sql) => expect(of(sql)).toEqual([]));
});

describe('expand-contract', () => {
  it.each([
    ['ALTER TABLE orders DROP COLUMN note', 'm drops a column'],
    ['ALTER TABLE orders DROP note', 'm drops a column'],
    ['DROP TABLE orders', 'm drops a table'],
    ['ALTER TABLE orders RENAME COLUMN note TO remark', 'm renames'],
    ['ALTER TABLE orders RENAME TO purchases', 'm renames'],
    ['ALTER TABLE orders ALTER COLUMN total TYPE bigint', 'm changes a type'],
    ['ALTER TABLE orders ALTER note SET NOT NULL', 'm makes a column required'],
    [
      'ALTER TABLE orders ADD COLUMN note text, ADD COLUMN state text NOT NULL',
      'm adds a required column without a default',
    ],
    ['TRUNCATE orders', 'm empties a table'],
  ])('holds a contracting step back: %s', (sql, problem) => expect(of(sql)).toEqual([problem]));

  it('reads what the migrations command prints', () => {
    expect(readPending('{"pending":[{"key":"a","sql":"select 1"}]}')).toEqual([{ key: 'a', sql: 'select 1' }]);
    expect(() => readPending('nothing')).toThrow('has to print JSON');
    expect(() => readPending('{"pending":[{"key":"a"}]}')).toThrow('a key and its sql');
  });
});
