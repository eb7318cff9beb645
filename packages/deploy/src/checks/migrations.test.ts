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
    ['a required column that is numbered', 'ALTER TABLE orders ADD COLUMN number bigserial NOT NULL'],
    [
      'a check of a new column',
      'ALTER TABLE orders ADD COLUMN n int DEFAULT 1 CHECK (coalesce(n, 0) IN (0, 1)) NOT NULL',
    ],
    ['a check of values', 'ALTER TABLE orders ADD CONSTRAINT c CHECK (total > 0 OR note IS NOT NULL) NOT VALID'],
    ['a column whose name contains SQL', 'ALTER TABLE orders ADD COLUMN "drop table orders; rename to" text'],
    ['a comment that contains SQL', "/* it's /* nested */ DROP TABLE orders; */ SELECT 1; -- DROP TABLE 'orders"],
    ['a string that contains SQL', "INSERT INTO notes VALUES (E'it\\'s; DROP TABLE orders', '--', 'a''; DROP VIEW b')"],
    [
      'a function whose body contains SQL',
      'CREATE FUNCTION f() RETURNS void AS $f$ DROP TABLE orders; $f$ LANGUAGE sql',
    ],
    ['a renamed constraint', 'ALTER TABLE orders RENAME CONSTRAINT a TO b'],
    ['a dropped trigger', 'DROP TRIGGER t ON orders'],
  ])('accepts %s while the previous version serves', (_what, sql) => expect(of(sql)).toEqual([]));
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
    ['ALTER TABLE orders DROP IF EXISTS note CASCADE', 'm drops a column'],
    ['ALTER TABLE ONLY "shop"."orders" ADD COLUMN a int, DROP "note"', 'm drops a column'],
    ['ALTER TABLE orders RENAME "note" TO "remark"', 'm renames'],
    ['ALTER TABLE orders ALTER COLUMN "a b" TYPE int', 'm changes a type'],
    ["ALTER TYPE state RENAME VALUE 'open' TO 'new'", 'm renames'],
    ['ALTER TABLE orders SET SCHEMA archive', 'm moves something to another schema'],
    ['ALTER TABLE orders DETACH PARTITION orders_2020', 'm detaches a partition'],
    ['ALTER TABLE orders ADD CONSTRAINT c CHECK (note IS NOT NULL) NOT VALID', 'm makes a column required'],
    ['DROP VIEW order_summary', 'm drops a view'],
    ['DROP MATERIALIZED VIEW IF EXISTS order_summary', 'm drops a view'],
    ['DROP SCHEMA shop CASCADE', 'm drops a schema'],
    ['DROP SEQUENCE order_numbers', 'm drops a sequence'],
    ['DROP FUNCTION total(uuid)', 'm drops a function'],
    ['DROP TYPE state', 'm drops a type'],
    ["-- it's obsolete now\nDROP TABLE orders;\n-- that's all", 'm drops a table'],
    ["-- don't drop\nALTER TABLE orders DROP COLUMN note;\nUPDATE orders SET state = 'open';", 'm drops a column'],
    ["ALTER TABLE orders /* don't */ DROP COLUMN a; -- won't", 'm drops a column'],
    ["INSERT INTO notes VALUES ('-- not a comment'); DROP TABLE orders", 'm drops a table'],
    ["INSERT INTO notes VALUES (E'\\\\'); DROP TABLE orders; SELECT ''", 'm drops a table'],
    ["INSERT INTO notes VALUES ('\\'); DROP TABLE orders; SELECT ''", 'm drops a table'],
    ['SELECT a$b$c FROM t; DROP TABLE orders; SELECT a$b$c', 'm drops a table'],
    ['DO $do$ BEGIN IF true THEN TRUNCATE orders; END IF; END $do$', 'm empties a table'],
  ])('rejects a contracting step: %s', (sql, problem) => expect(of(sql)).toEqual([problem]));

  it('parses the output of the migrations command', () => {
    expect(readPending('{"pending":[{"key":"a","sql":"select 1"}]}')).toEqual([{ key: 'a', sql: 'select 1' }]);
    expect(() => readPending('nothing')).toThrow('must print JSON');
    expect(() => readPending('{"pending":[{"key":"a"}]}')).toThrow('a key and sql');
  });
});
