/** What statements for lists ask of a database. The contract of storages compares what databases answer. */
import { describe, expect, it } from 'vitest';
import { asTables } from '../models/model-tables.js';
import { sortedByKey, type ColumnCondition, type ModelQuery } from '../models/model-query.js';
import { tableText, type PerspectiveTable, type TableLayout } from '../models/perspective-table.js';
import {
  countStatement,
  listStatement,
  mostOwnersListed,
  ownersStatement,
  type ListDialect,
  type ListStatement,
} from './list-statement.js';
import type { RecordedTables } from './recorded-tables.js';

/** A dialect whose values show their types. */
const dialect: ListDialect<boolean | readonly string[]> = {
  parameterMark: '$',
  modelColumns: 'id, body',
  columnValue: (type, value, bind) => `${type}(${bind(value)})`,
  allowsAny: (principals, bind) => `allows(${bind(principals)})`,
};

function tables(layout: TableLayout = 'owned'): RecordedTables {
  const table: PerspectiveTable = {
    perspective: 'Orders',
    columns: [
      { name: 'state', type: 'text' },
      { name: 'paidAmount', type: 'decimal' },
    ],
    layout,
  };
  const progress = { sequence: 1, revision: 1, segments: [], changed: 1 };
  return { tables: asTables('Orders'), table, text: tableText(table), generation: 'g', ...progress };
}

const everything: ModelQuery = { offset: 0, limit: 10, owner: null, principals: null };
const ofA = { owner: 'a', values: { tenantId: 'a' } };

/** The statement with its parameters in place, without line breaks. */
function filled({ text, values }: ListStatement<boolean | readonly string[]>): string {
  return text.replace(/\$(\d+)/g, (_, index: string) => JSON.stringify(values[Number(index) - 1]));
}

const listed = (
  query: Partial<ModelQuery>,
  { owners = null, layout }: { owners?: readonly string[] | null; layout?: TableLayout } = {},
): string => filled(listStatement(tables(layout), { ...everything, ...query }, owners, dialect));

/** The conditions of each part of a list. */
const conditions = (text: string): string[][] =>
  [...text.matchAll(/ WHERE (.*?) ORDER BY/g)].map(([, all]) => all!.split(' AND '));

/** The conditions of a list of one owner, without those of every list. */
const where = (...all: readonly ColumnCondition[]): string[] =>
  conditions(listed({ owner: ofA, where: all }))[0]!.slice(2);

describe('a list', () => {
  it('reads the models of an owner that have a body, in one part', () => {
    const text = listed({ owner: ofA });
    expect(conditions(text)).toEqual([['owner = "a"', 'body IS NOT NULL']]);
    expect(text).toMatch(/^SELECT id, body FROM \(SELECT \* FROM \(SELECT \* FROM svc_perspective_orders WHERE/);
  });

  it('of all owners has a part for each of them if they are known', () => {
    const text = listed({}, { owners: ['a', 'b'] });
    expect(conditions(text)).toEqual([
      ['owner = "a"', 'body IS NOT NULL'],
      ['owner = "b"', 'body IS NOT NULL'],
    ]);
    expect(text.split(' UNION ALL ')).toHaveLength(2);
  });

  it('of all owners has one part if they are not known', () => {
    expect(conditions(listed({}))).toEqual([['body IS NOT NULL']]);
  });

  it('reads as many rows of each part as the page and those before it have', () => {
    const text = listed({ offset: 30, limit: 10 }, { owners: ['a', 'b'] });
    expect([...text.matchAll(/LIMIT (\d+)\) part/g)].map(([, limit]) => limit)).toEqual(['40', '40']);
    expect(text).toMatch(/LIMIT 10 OFFSET 30$/);
  });

  it('of a keyed table has conditions for the scope values of the owner', () => {
    const owner = { owner: 'a', values: { tenantId: 'a', customerId: null } };
    const text = listed({ owner }, { layout: 'keyed' });
    expect(conditions(text)).toEqual([['tenant_id = "a"', 'customer_id IS NULL', 'body IS NOT NULL']]);
    expect(text).toContain('AS owner FROM svc_perspective_orders) models');
  });

  it('has only models of a user, or that allow one of some principals', () => {
    const principals = ['user:ann', 'role:a'];
    expect(conditions(listed({ owner: ofA, principals: { principals } }))[0]!.slice(2)).toEqual([
      '(allows(["user:ann","role:a"]))',
    ]);
    expect(conditions(listed({ owner: ofA, principals: { userId: 'ann', principals } }))[0]!.slice(2)).toEqual([
      '(user_id = "ann" OR allows(["user:ann","role:a"]))',
    ]);
  });
});

describe('a condition', () => {
  it.each([
    ['eq', '='],
    ['gt', '>'],
    ['gte', '>='],
    ['lt', '<'],
    ['lte', '<='],
  ] as const)('%s compares a column of its type with a value', (operator, sign) => {
    expect(where({ column: 'state', operator, value: 'open' })).toEqual([`"p_state" ${sign} text("open")`]);
    expect(where({ column: 'paidAmount', operator, value: '1.5' })).toEqual([`"p_paid_amount" ${sign} decimal("1.5")`]);
    expect(where({ column: 'key', operator, value: 'k' })).toEqual([`key ${sign} text("k")`]);
  });

  it('for a missing value is met by models without one', () => {
    expect(where({ column: 'state', operator: 'eq', value: null })).toEqual(['"p_state" IS NULL']);
  });

  it.each(['gt', 'gte', 'lt', 'lte'] as const)('%s a missing value is met by no model', (operator) => {
    expect(where({ column: 'state', operator, value: null })).toEqual(['FALSE']);
  });

  it('in a list of values is met by models with one of them', () => {
    expect(where({ column: 'state', operator: 'in', values: ['open', 'paid'] })).toEqual([
      '("p_state" IN (text("open"), text("paid")))',
    ]);
    expect(where({ column: 'state', operator: 'in', values: [null, 'open'] })).toEqual([
      '("p_state" IN (text("open")) OR "p_state" IS NULL)',
    ]);
    expect(where({ column: 'state', operator: 'in', values: [null] })).toEqual(['("p_state" IS NULL)']);
    expect(where({ column: 'state', operator: 'in', values: [] })).toEqual(['FALSE']);
  });

  it('is one of several that a model must meet', () => {
    const open = { column: 'state', operator: 'eq', value: 'open' } as const;
    expect(where(open, { column: 'key', operator: 'gt', value: 'k' })).toEqual([
      '"p_state" = text("open")',
      'key > text("k")',
    ]);
  });
});

describe('the order of a list', () => {
  it.each([
    ['key', false, 'key ASC, owner ASC'],
    ['key', true, 'key DESC, owner DESC'],
    ['state', false, '"p_state" ASC NULLS FIRST, key ASC, owner ASC'],
    ['state', true, '"p_state" DESC NULLS LAST, key DESC, owner DESC'],
  ])('by %s, descending: %s, applies to each part and to the whole', (column, descending, order) => {
    const text = listed({ sort: { column, descending } }, { owners: ['a', 'b'] });
    expect([...text.matchAll(/ORDER BY (.*?) LIMIT/g)].map(([, one]) => one)).toEqual([order, order, order]);
  });

  it('is that of the keys by default', () => {
    expect(listed({})).toBe(listed({ sort: sortedByKey }));
  });
});

describe('the models after a place', () => {
  const ranges = (query: Partial<ModelQuery>, owners: readonly string[] | null = null): string[] =>
    conditions(listed(query, { owners })).map((all) =>
      all.filter((one) => !/^(?:owner =|body IS)/.test(one)).join(' & '),
    );

  it('in the order of keys have greater ones, or smaller ones in descending order', () => {
    const after = { key: 'k', value: 'k' };
    expect(ranges({ owner: ofA, after })).toEqual(['(key) > ("k")']);
    expect(ranges({ owner: ofA, after, sort: { column: 'key', descending: true } })).toEqual(['(key) < ("k")']);
  });

  it('in the order of a column have greater values', () => {
    const query = { owner: ofA, after: { key: 'k', value: 'open' }, sort: { column: 'state', descending: false } };
    expect(ranges(query)).toEqual(['("p_state", key) > (text("open"), "k")']);
  });

  it('in the descending order of a column have smaller values, or none', () => {
    const query = { owner: ofA, after: { key: 'k', value: 'open' }, sort: { column: 'state', descending: true } };
    expect(ranges(query)).toEqual(['("p_state", key) < (text("open"), "k")', '"p_state" IS NULL']);
  });

  it('after one without a value have none and greater keys, or any value', () => {
    const query = { owner: ofA, after: { key: 'k', value: null }, sort: { column: 'state', descending: false } };
    expect(ranges(query)).toEqual(['"p_state" IS NULL & (key) > ("k")', '"p_state" IS NOT NULL']);
  });

  it('after one without a value, in descending order, have none and smaller keys', () => {
    const query = { owner: ofA, after: { key: 'k', value: null }, sort: { column: 'state', descending: true } };
    expect(ranges(query)).toEqual(['"p_state" IS NULL & (key) < ("k")']);
  });

  it('of all owners follow it in the order of owners, too', () => {
    const after = { key: 'k', value: 'open', owner: 'b' };
    expect(ranges({ after })).toEqual(['(key, owner) > ("k", "b")']);
    expect(ranges({ after, sort: { column: 'state', descending: true } })).toEqual([
      '("p_state", key, owner) < (text("open"), "k", "b")',
      '"p_state" IS NULL',
    ]);
  });

  it('of each owner begin with the same key for owners that follow, and behind it for the others', () => {
    const after = { key: 'k', value: 'k', owner: 'b' };
    expect(ranges({ after }, ['a', 'b', 'c'])).toEqual(['(key) > ("k")', '(key) > ("k")', '(key) >= ("k")']);
    expect(ranges({ after, sort: { column: 'key', descending: true } }, ['a', 'b', 'c'])).toEqual([
      '(key) <= ("k")',
      '(key) < ("k")',
      '(key) < ("k")',
    ]);
  });

  it('compare owners in the order of databases', () => {
    const after = { key: 'k', value: 'k', owner: '\uffff' };
    expect(ranges({ after }, ['\u{10000}'])).toEqual(['(key) >= ("k")']);
  });
});

describe('the number of models', () => {
  const counted = (query: Partial<ModelQuery>, layout?: TableLayout): string =>
    filled(countStatement(tables(layout), { ...everything, ...query }, dialect));

  it('is that of all owners, or of one', () => {
    expect(counted({})).toBe('SELECT count(*) AS count FROM svc_perspective_orders WHERE body IS NOT NULL');
    expect(counted({ owner: ofA })).toMatch(/ WHERE owner = "a" AND body IS NOT NULL$/);
    expect(counted({ owner: ofA }, 'keyed')).toMatch(/ WHERE tenant_id = "a" AND body IS NOT NULL$/);
  });

  it('has the conditions of a list', () => {
    const query = {
      where: [{ column: 'state', operator: 'gt', value: 'a' }],
      principals: { principals: ['p'] },
    } as const;
    expect(counted(query)).toMatch(/ WHERE body IS NOT NULL AND "p_state" > text\("a"\) AND \(allows\(\["p"\]\)\)$/);
  });
});

it('the owners of models are found up to one more than are listed one by one', () => {
  expect(mostOwnersListed).toBe(50);
  expect(ownersStatement(tables())).toMatch(/ LIMIT 51$/);
  expect(ownersStatement(tables()).match(/FROM svc_perspective_orders\b/g)).toHaveLength(2);
});
