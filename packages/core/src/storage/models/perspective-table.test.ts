import { describe, expect, it } from 'vitest';
import {
  columnNameOf,
  isSameVersion,
  layoutOf,
  tableNameOf,
  tableNamesOf,
  tableOfText,
  tableText,
  type PerspectiveTable,
} from './perspective-table.js';
import { shortHash } from './short-hash.js';

const columns = [{ name: 'placedAt', type: 'timestamp' }] as const;

describe('the stored definition of a table', () => {
  it('is read again with its columns and its version, in the layout of this version of svc', () => {
    expect(tableOfText('Orders', tableText({ columns, version: 'v1' }))).toEqual({
      perspective: 'Orders',
      columns,
      version: 'v1',
      layout: 'owned',
    });
    expect(tableOfText('Orders', tableText({ columns }))).toMatchObject({ version: null });
  });

  it('is the same text for the same table', () => {
    expect(tableText({ columns })).toBe(
      '{"columns":[{"name":"placedAt","type":"timestamp"}],"version":null,"layout":"owned"}',
    );
  });

  it('of an earlier version of svc is an array of columns, or has no layout: the table is keyed', () => {
    expect(tableOfText('Orders', JSON.stringify(columns))).toEqual({ perspective: 'Orders', columns, layout: 'keyed' });
    expect(tableOfText('Orders', JSON.stringify({ columns, version: 'v1' }))).toEqual({
      perspective: 'Orders',
      columns,
      version: 'v1',
      layout: 'keyed',
    });
  });
});

it('a table without a layout is owned', () => {
  expect(layoutOf({ perspective: 'p', columns })).toBe('owned');
  expect(layoutOf({ perspective: 'p', columns, layout: 'keyed' })).toBe('keyed');
});

describe('a host may write to a table', () => {
  const table = (fields: Partial<PerspectiveTable>): PerspectiveTable => ({ perspective: 'p', columns, ...fields });

  it.each<[string, Partial<PerspectiveTable>, Partial<PerspectiveTable>, boolean]>([
    ['of its version', { version: 'a' }, { version: 'a' }, true],
    ['of its version with other columns', { version: 'a' }, { version: 'a', columns: [] }, true],
    ['of an unknown version', { version: 'a' }, { version: null }, true],
    ['of no version', { version: 'a' }, {}, true],
    ['of any version if its own is unknown', { version: null }, { version: 'a' }, true],
    ['of any version if it has none', {}, { version: 'a' }, true],
    ['but not of another version', { version: 'a' }, { version: 'b' }, false],
    ['but not in another layout', { version: 'a' }, { version: 'a', layout: 'keyed' }, false],
    ['but not in another layout, even if no version is known', {}, { layout: 'keyed' }, false],
  ])('%s', (_what, own, other, isSame) => {
    expect(isSameVersion(table(own), table(other))).toBe(isSame);
    expect(isSameVersion(table(other), table(own))).toBe(isSame);
  });
});

describe('the name of a table', () => {
  it.each([
    ['OrderSummary', 'order_summary'],
    ['A', 'a'],
    ['ABTest', 'a_b_test'],
    ['Order2Go', 'order2_go'],
  ])('of %s is in lower case, with an underscore before each further word', (name, expected) => {
    expect(tableNameOf(name)).toBe(expected);
  });

  it.each([
    ['orderSummary', 'order_summary'],
    ['order', 'order'],
    ['Order_summary', 'order_summary'],
    ['Order-Summary', 'order_summary'],
    ['Order.01912d68', 'order01912d68'],
    ['2Orders', '2_orders'],
    ['Größe', 'gre'],
    ['', ''],
  ])('of %s ends in a hash, because another name could be the same without it', (name, start) => {
    expect(tableNameOf(name)).toBe(`${start}_0${shortHash(name)}`);
  });

  it('has up to 38 characters; a longer one is shortened, and ends in a hash', () => {
    const [longest, longer] = [`O${'x'.repeat(37)}`, `O${'x'.repeat(38)}`];
    expect(tableNameOf(longest)).toBe(longest.toLowerCase());
    expect(tableNameOf(longer)).toBe(`o${'x'.repeat(19)}_0${shortHash(longer)}`);
  });

  it('has a prefix for each content', () => {
    expect(tableNamesOf('OrderSummary')).toEqual({
      models: 'svc_perspective_order_summary',
      sources: 'svc_sources_order_summary',
      snapshots: 'svc_snapshots_order_summary',
    });
  });

  it('fits into 63 bytes, with the suffix of a backup', () => {
    for (const name of [`O${'x'.repeat(37)}`, `O${'Xx'.repeat(50)}`]) {
      expect(`${tableNamesOf(name).models}__backup`.length).toBeLessThanOrEqual(63);
    }
  });
});

describe('the name of a column', () => {
  it.each([
    ['placedAt', 'p_placed_at'],
    ['x', 'p_x'],
    ['xCoordinateOfA', 'p_x_coordinate_of_a'],
    ['line2', 'p_line2'],
  ])('of %s has a prefix, and is in lower case with an underscore for each word', (property, expected) => {
    expect(columnNameOf(property)).toBe(expected);
  });

  it.each([
    ['PlacedAt', 'placed_at'],
    ['placed_at', 'placed_at'],
    ['placed-At', 'placed_at'],
    ['größe', 'gre'],
    ['$id', 'id'],
    ['a"b', 'ab'],
  ])('of %s ends in a hash', (property, start) => {
    expect(columnNameOf(property)).toBe(`p_${start}_0${shortHash(property)}`);
  });
});

it('the name of a column has up to 38 characters and the prefix; a longer one is shortened, and ends in a hash', () => {
  const [longest, longer] = ['x'.repeat(38), 'x'.repeat(39)];
  expect(columnNameOf(longest)).toBe(`p_${longest}`);
  expect(columnNameOf(longer)).toBe(`p_${'x'.repeat(20)}_0${shortHash(longer)}`);
});

describe('the short hash', () => {
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('is FNV-1a of 64 bits: %j', (text, hash) => expect(shortHash(text)).toBe(hash));

  it('has 16 digits, also if the first ones are zero', () => {
    const hashes = Array.from({ length: 200 }, (_, i) => shortHash(`text ${i}`));
    expect(hashes.filter((hash) => hash.length !== 16)).toEqual([]);
    expect(hashes.some((hash) => hash.startsWith('0'))).toBe(true);
  });
});
