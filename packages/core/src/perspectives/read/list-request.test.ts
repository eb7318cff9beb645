import { describe, expect, it } from 'vitest';
import { ValidationError, type Issue } from '../../errors/index.js';
import { newId } from '../../messages/index.js';
import { sortedByKey, type ColumnCondition, type IndexedType, type PerspectiveColumn } from '../../storage/index.js';
import { filterBy, listRequest } from '../testing/trial-request.js';
import { readEventWait } from './event-wait.js';
import { conditionsOf, sortOf } from './lens-query.js';
import { columnTypes, mostAlternatives, readListRequest, type FilterText, type ListRequest } from './list-request.js';
import { placeOf } from './model-place.js';
import { readPage } from './page-numbers.js';
import { readPageToken, writePageToken } from './page-token.js';

const columns: PerspectiveColumn[] = [
  { name: 'title', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'weight', type: 'number' },
  { name: 'price', type: 'decimal' },
  { name: 'isOpen', type: 'boolean' },
  { name: 'placedAt', type: 'timestamp' },
];
const types = columnTypes(columns);
const read = (fields?: Partial<ListRequest>) => readListRequest('Orders', columns, listRequest(fields));

function issuesOf(fields: Partial<ListRequest>): readonly Issue[] {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  return [];
}

describe('a request for a list', () => {
  it('without filters is for all models in the order of their keys', () => {
    expect(read({ offset: 20, limit: 5 })).toEqual({ offset: 20, limit: 5, where: [], sort: sortedByKey, after: null });
  });

  it('has filters by the key and by indexed properties', () => {
    const filters = [
      filterBy('key', 'eq', 'k'),
      filterBy('count', 'gte', '3'),
      filterBy('weight', 'lt', '1.5'),
      filterBy('price', 'lte', '12.50'),
      filterBy('isOpen', 'eq', 'true'),
      filterBy('placedAt', 'gt', '2026-01-31T12:00:00Z'),
      filterBy('title', 'in', 'a', 'b'),
    ];
    expect(read({ filters }).where).toEqual([
      { column: 'key', operator: 'eq', value: 'k' },
      { column: 'count', operator: 'gte', value: 3 },
      { column: 'weight', operator: 'lt', value: 1.5 },
      { column: 'price', operator: 'lte', value: '12.50' },
      { column: 'isOpen', operator: 'eq', value: true },
      { column: 'placedAt', operator: 'gt', value: Date.parse('2026-01-31T12:00:00Z') },
      { column: 'title', operator: 'in', values: ['a', 'b'] },
    ]);
  });

  it.each<[string, FilterText, string]>([
    [
      'an unknown property',
      filterBy('other', 'eq', 'x'),
      'is not a known filter; filter by key, title, count, weight, price, isOpen, or placedAt',
    ],
    ['an unknown operator', filterBy('count', 'near', '1'), 'must be one of eq, gt, gte, lt, lte, in'],
    ['several values', filterBy('count', 'eq', '1', '2'), 'must be one value'],
    ['no integer', filterBy('count', 'eq', '1.5'), 'must be an integer'],
    ['no number', filterBy('weight', 'eq', 'x'), 'must be a number'],
    ['no decimal', filterBy('price', 'eq', 'x'), 'must be a decimal number such as 12.50, of at most'],
    ['no boolean', filterBy('isOpen', 'eq', 'x'), 'must be true or false'],
    ['no time', filterBy('placedAt', 'eq', 'x'), 'must be a date and time with offset, such as'],
    ['a long text', filterBy('title', 'eq', 'x'.repeat(401)), 'must be a text of at most 400 characters'],
    ['one bad value of several', filterBy('count', 'in', '1', 'x'), 'must be an integer'],
  ])('is rejected for %s in a filter', (_name, given, detail) => {
    expect(issuesOf({ filters: [given] })).toEqual([
      { pointer: given.pointer, detail: expect.stringContaining(detail) as string },
    ]);
  });

  it('has a limited number of filters and of values', () => {
    const values = (count: number): string[] => Array.from({ length: count }, () => '1');
    expect(read({ filters: [filterBy('count', 'in', ...values(mostAlternatives))] }).where).toHaveLength(1);
    expect(issuesOf({ filters: [filterBy('count', 'in', ...values(mostAlternatives + 1))] })).toEqual([
      { pointer: '/filter/count', detail: 'must have at most 100 values' },
    ]);
    const many = (count: number): FilterText[] => values(count).map((value) => filterBy('count', 'eq', value));
    expect(read({ filters: many(20) }).where).toHaveLength(20);
    expect(issuesOf({ filters: many(21) })).toEqual([
      { pointer: '/filter', detail: 'must have at most 20 conditions' },
    ]);
  });

  it('can be sorted in both directions by the key and by indexed properties', () => {
    expect(read({ sort: 'count' }).sort).toEqual({ column: 'count', descending: false });
    expect(read({ sort: '-key' }).sort).toEqual({ column: 'key', descending: true });
    const names = 'key, title, count, weight, price, isOpen, or placedAt';
    const detail = `is not a known sort property; sort by ${names}; a leading minus sorts in descending order`;
    expect(issuesOf({ sort: 'other' })).toEqual([{ pointer: '/sort', detail }]);
  });

  it('reports every issue at once, with those that the host found', () => {
    const found = [{ pointer: '/page', detail: 'is bad' }];
    const pointers = issuesOf({
      issues: found,
      filters: [filterBy('other', 'eq', 'x')],
      sort: 'other',
      after: 'bad',
    }).map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/page', '/filter/other', '/sort', '/after']);
    expect(found).toHaveLength(1);
  });

  it('continues after a page of the same list only', () => {
    const sort = { column: 'count', descending: false };
    const place = { value: 3, key: 'k' };
    const after = writePageToken('Orders', sort, [], place);
    expect(read({ sort: 'count', after }).after).toEqual(place);
    const pointer = '/after';
    const detail = 'must be the next of an earlier page of the same list';
    expect(issuesOf({ sort: '-count', after })).toEqual([{ pointer, detail }]);
    expect(issuesOf({ sort: 'count', after, filters: [filterBy('count', 'eq', '1')] })).toEqual([{ pointer, detail }]);
  });
});

describe('a page token', () => {
  const sort = { column: 'placedAt', descending: false };
  const readToken = (token: string, order = sort, name = 'Orders', where: ColumnCondition[] = []) =>
    readPageToken(name, order, where, types, token);

  it('contains the place, with the owner where there are several', () => {
    const place = { value: 1_700_000_000_000, key: 'k' };
    expect(readToken(writePageToken('Orders', sort, [], place))).toEqual(place);
    const owned = { ...place, owner: 'o' };
    expect(readToken(writePageToken('Orders', sort, [], owned))).toEqual(owned);
    expect(readToken(writePageToken('Orders', sort, [], { value: null, key: 'k' }))).toEqual({ value: null, key: 'k' });
    const byKey = { value: 'k', key: 'k' };
    expect(readToken(writePageToken('Orders', sortedByKey, [], byKey), sortedByKey)).toEqual(byKey);
  });

  it('belongs to one perspective, one order and one set of filters', () => {
    const token = writePageToken('Orders', sort, [], { value: 0, key: 'k' });
    expect(readToken(token, sort, 'Others')).toBeUndefined();
    expect(readToken(token, { ...sort, descending: true })).toBeUndefined();
    expect(readToken(token, sort, 'Orders', [{ column: 'key', operator: 'eq', value: 'k' }])).toBeUndefined();
  });

  it('that was forged is rejected', () => {
    const [name] = JSON.parse(
      Buffer.from(writePageToken('Orders', sort, [], { value: 0, key: 'k' }), 'base64url').toString(),
    ) as [string];
    const token = (...content: unknown[]): string => Buffer.from(JSON.stringify(content)).toString('base64url');
    expect(readToken(token(name, 0, 'k'))).toEqual({ value: 0, key: 'k' });
    const forged = [
      token(name, 0),
      token(name, 0, 'k', 'o', 'x'),
      token(name, 0, 7),
      token(name, 0, 'x'.repeat(401)),
      token(name, 0, 'k', 7),
      token(name, 0, 'k', '\0'),
      token(name, '2026-01-01T00:00:00Z', 'k'),
      token('other', 0, 'k'),
      Buffer.from(JSON.stringify({ length: 3 })).toString('base64url'),
      Buffer.from('no JSON').toString('base64url'),
      `${token(name, 0, 'k')}=`,
      '',
    ];
    expect(forged.map((one) => readToken(one))).toEqual(forged.map(() => undefined));
    const spaced = Buffer.from(`${' '.repeat(7_000)}${JSON.stringify([name, 0, 'k'])}`).toString('base64url');
    expect(spaced.length).toBeGreaterThan(8_000);
    expect(readToken(spaced)).toBeUndefined();
  });
});

describe('the place of a model in a list', () => {
  const record = { id: 'i', key: 'k', owner: 'o', scope: null, version: 1, lastEventId: newId() };

  it('is the value that the list is sorted by, the key, and among all owners the owner', () => {
    const model = { ...record, body: '{"count":3,"placedAt":"2026-01-31T12:00:00Z"}' };
    expect(placeOf(model, sortedByKey, types, false)).toEqual({ key: 'k', value: 'k' });
    expect(placeOf(model, { column: 'count', descending: true }, types, true)).toEqual({
      key: 'k',
      owner: 'o',
      value: 3,
    });
    const time = placeOf(model, { column: 'placedAt', descending: false }, types, false).value;
    expect(time).toBe(Date.parse('2026-01-31T12:00:00Z'));
    expect(placeOf({ ...record, body: null }, { column: 'count', descending: false }, types, false).value).toBeNull();
  });
});

describe('the numbers of a page', () => {
  function page(number: number | null | undefined, size: number | null | undefined, after: string | null = null) {
    const issues: Issue[] = [];
    return { ...readPage(number, size, after, issues), issues };
  }

  it('are the first page of ten by default', () => {
    const first = { page: 1, pageSize: 10, offset: 0, limit: 10, issues: [] };
    expect(page(undefined, undefined)).toEqual(first);
    expect(page(null, null)).toEqual(first);
    expect(page(3, 20)).toEqual({ page: 3, pageSize: 20, offset: 40, limit: 20, issues: [] });
    expect([page(1, 1).issues, page(100, 100).issues]).toEqual([[], []]);
  });

  it.each([0, -1, 101, 1.5, NaN])('cannot be %d', (number) => {
    expect(page(number, number).issues).toEqual([
      { pointer: '/page', detail: 'must be a whole number from 1 to 100; use after to read further' },
      { pointer: '/pageSize', detail: 'must be a whole number from 1 to 100' },
    ]);
  });

  it('are not combined with the place of a page', () => {
    expect(page(undefined, 5, 'token')).toEqual({ page: null, pageSize: 5, offset: 0, limit: 5, issues: [] });
    expect(page(null, 5, 'token').issues).toEqual([]);
    expect(page(2, 5, 'token').issues).toEqual([{ pointer: '/page', detail: 'must not be combined with after' }]);
  });
});

describe('the event that a caller waits for', () => {
  const { signal } = new AbortController();
  const wait = (event: string | null, seconds: number | null, issues: Issue[] = []) =>
    readEventWait(event, seconds, () => signal, issues);

  it('is waited for five seconds by default, and thirty at most', () => {
    const eventId = newId();
    expect(wait(null, 7)).toBeNull();
    expect(wait(eventId.toUpperCase(), null)).toEqual({ eventId, timeoutMs: 5_000, signal });
    expect([0, -1, 2.5, 30, 31].map((seconds) => wait(eventId, seconds)!.timeoutMs)).toEqual([
      0, 0, 2_500, 30_000, 30_000,
    ]);
  });

  it('must be a UUID', () => {
    const issues: Issue[] = [];
    expect(wait('x', null, issues)).toBeNull();
    expect(issues).toEqual([{ pointer: '/afterEvent', detail: 'must be the id of an event' }]);
  });
});

describe('the query of a lens', () => {
  const all = new Map<string, IndexedType>(types);

  it('has conditions for values, ranges and several values', () => {
    const time = new Date('2026-01-31T12:00:00Z');
    const where = {
      title: 'a',
      count: { gt: 1, lte: 5, lt: undefined },
      price: null,
      placedAt: time,
      isOpen: undefined,
      key: { in: ['a', null] },
    };
    expect(conditionsOf(where, all)).toEqual([
      { column: 'title', operator: 'eq', value: 'a' },
      { column: 'count', operator: 'gt', value: 1 },
      { column: 'count', operator: 'lte', value: 5 },
      { column: 'price', operator: 'eq', value: null },
      { column: 'placedAt', operator: 'eq', value: time.getTime() },
      { column: 'key', operator: 'in', values: ['a', null] },
    ]);
  });

  it('is rejected for properties that are not indexed, and for too many values', () => {
    const code = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(() => conditionsOf({ other: 1 }, all))).toBe('SVC_NOT_INDEXED');
    expect(code(() => sortOf('-other', all))).toBe('SVC_NOT_INDEXED');
    const values = Array.from({ length: mostAlternatives + 1 }, () => 1);
    expect(code(() => conditionsOf({ count: { in: values } }, all))).toBe('SVC_INVALID_VALUE');
    expect(conditionsOf({ count: { in: values.slice(1) } }, all)).toHaveLength(1);
    expect(conditionsOf({ other: undefined }, all)).toEqual([]);
  });

  it('is sorted by the key by default', () => {
    expect(sortOf(undefined, all)).toEqual(sortedByKey);
    expect(sortOf('count', all)).toEqual({ column: 'count', descending: false });
    expect(sortOf('-count', all)).toEqual({ column: 'count', descending: true });
  });
});
