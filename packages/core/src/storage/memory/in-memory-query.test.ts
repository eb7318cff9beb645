import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { ColumnValue } from '../models/column-values.js';
import type { ColumnCondition, ModelPlace, ModelQuery } from '../models/model-query.js';
import type { IndexedModel } from '../models/perspective-storage.js';
import type { PerspectiveColumn } from '../models/perspective-table.js';
import { queryModels } from './in-memory-query.js';

const columns: readonly PerspectiveColumn[] = [
  { name: 'state', type: 'text' },
  { name: 'total', type: 'decimal' },
];
const everything: ModelQuery = { offset: 0, limit: 100, owner: null, principals: null };

function model(key: string, indexed: IndexedModel['indexed'] = {}, fields: Partial<IndexedModel> = {}): IndexedModel {
  return { id: key, key, owner: '', body: '{}', version: 1, lastEventId: newId(), scope: null, indexed, ...fields };
}

const keysOf = (models: readonly IndexedModel[], query: Partial<ModelQuery> = {}): string[] =>
  queryModels(models, columns, { ...everything, ...query }).map(({ key }) => key);

describe('models in memory', () => {
  it('are listed by key in the order of databases, without those that have no body', () => {
    const models = ['b', '\u{10000}', '\uffff', 'a'].map((key) => model(key));
    expect(keysOf([...models, model('c', {}, { body: null })])).toEqual(['a', 'b', '\uffff', '\u{10000}']);
  });

  it('with the same key are listed by owner, in the order of databases', () => {
    const owners = ['\u{10000}', 'b', '\uffff', 'a'];
    const models = owners.map((owner) => model('k', {}, { id: `k${owner}`, owner }));
    const listed = (descending: boolean): string[] =>
      queryModels(models, columns, { ...everything, sort: { column: 'key', descending } }).map(({ owner }) => owner);
    expect(listed(false)).toEqual(['a', 'b', '\uffff', '\u{10000}']);
    expect(listed(true)).toEqual(['\u{10000}', '\uffff', 'b', 'a']);
  });

  it('are listed by a column, then by key; in descending order, all of it is reversed', () => {
    const totals = { c: '10', a: '9', d: '9', b: null };
    const models = [...Object.entries(totals).map(([key, total]) => model(key, { total })), model('e')];
    const sort = { column: 'total', descending: false };
    expect(keysOf(models, { sort })).toEqual(['b', 'e', 'a', 'd', 'c']);
    expect(keysOf(models, { sort: { ...sort, descending: true } })).toEqual(['c', 'd', 'a', 'e', 'b']);
  });

  it('are listed from an offset, up to a limit', () => {
    const models = ['a', 'b', 'c', 'd'].map((key) => model(key));
    expect(keysOf(models, { offset: 1, limit: 2 })).toEqual(['b', 'c']);
    expect(keysOf(models, { offset: 3, limit: 2 })).toEqual(['d']);
    expect(keysOf(models, { limit: 0 })).toEqual([]);
  });

  it('are those that a user owns, or that allow a principal', () => {
    const models = [
      model('own', {}, { scope: { userId: 'ann' } }),
      model('shared', {}, { scope: { userId: 'bob', allowedPrincipals: 'role:x,role:a' } }),
      model('other', {}, { scope: { userId: 'bob' } }),
      model('none'),
    ];
    const principals = { userId: 'ann', principals: ['role:a'] };
    expect(keysOf(models, { principals })).toEqual(['own', 'shared']);
    expect(keysOf(models, { principals: { principals: ['role:a'] } })).toEqual(['shared']);
  });
});

describe('a condition', () => {
  const models = [
    model('a', { total: '9' }),
    model('b', { total: '10' }),
    model('c', { total: '10.0' }),
    model('d', { total: null }),
    model('e'),
  ];
  const meeting = (...where: readonly ColumnCondition[]): string => keysOf(models, { where }).join('');

  it.each([
    ['eq', 'bc'],
    ['gt', ''],
    ['gte', 'bc'],
    ['lt', 'a'],
    ['lte', 'abc'],
  ] as const)('%s compares values of the column by its type', (operator, expected) => {
    expect(meeting({ column: 'total', operator, value: '10' })).toBe(expected);
  });

  it.each([
    ['eq', 'de'],
    ['gt', ''],
    ['gte', ''],
    ['lt', ''],
    ['lte', ''],
  ] as const)('%s a missing value', (operator, expected) => {
    expect(meeting({ column: 'total', operator, value: null })).toBe(expected);
  });

  it.each<[readonly ColumnValue[], string]>([
    [['9', '10.00'], 'abc'],
    [['9', null], 'ade'],
    [['1'], ''],
    [[], ''],
  ])('in %j is met by models with one of these values', (values, expected) => {
    expect(meeting({ column: 'total', operator: 'in', values })).toBe(expected);
  });

  it('is one of several that a model must meet', () => {
    expect(
      meeting({ column: 'total', operator: 'gte', value: '9' }, { column: 'key', operator: 'lt', value: 'b' }),
    ).toBe('a');
    expect(meeting({ column: 'key', operator: 'in', values: ['b', 'd'] })).toBe('bd');
  });
});

describe('the models after a place', () => {
  const models = [
    model('a', { state: 'open' }),
    model('b', { state: 'open' }),
    model('c'),
    model('d', { state: 'paid' }),
    model('e'),
  ];

  it.each<[boolean, ModelPlace, string]>([
    [false, { key: 'c', value: null }, 'eabd'],
    [false, { key: 'a', value: 'open' }, 'bd'],
    [false, { key: 'd', value: 'paid' }, ''],
    [true, { key: 'd', value: 'paid' }, 'baec'],
    [true, { key: 'a', value: 'open' }, 'ec'],
    [true, { key: 'e', value: null }, 'c'],
  ])('follow in the order of the list, descending: %s, after %j', (descending, after, expected) => {
    expect(keysOf(models, { after, sort: { column: 'state', descending } }).join('')).toBe(expected);
  });

  it('of the same key have a later owner, if the place has one', () => {
    const owned = ['x', 'y', 'z'].map((owner) => model('k', {}, { id: owner, owner }));
    const after = (owner?: string): string =>
      queryModels(owned, columns, {
        ...everything,
        after: { key: 'k', value: 'k', ...(owner !== undefined && { owner }) },
      })
        .map((one) => one.owner)
        .join('');
    expect(after('y')).toBe('z');
    expect(after('z')).toBe('');
    expect(after()).toBe('');
  });
});
