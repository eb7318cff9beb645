/** Every storage answers every query as the one in memory does, which is what a query means. */
import { newId } from '@svc/core';
import {
  longestIndexedText,
  type IndexedType,
  type ColumnValue,
  type IndexedModel,
  type ModelQuery,
  type PerspectiveColumn,
  type PerspectiveStorage,
} from '@svc/core/storage';
import { type ColumnCondition, InMemoryPerspectives } from '@svc/core/testing';
import { compareDecimal, longestDecimal } from '@svc/core/json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeStores } from './storages.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);

const columns: readonly PerspectiveColumn[] = (
  ['text', 'integer', 'number', 'decimal', 'boolean', 'timestamp'] as const
).map((type) => ({ name: `${type}Value`, type }));

/** Few values of each type, so that many are equal, and the awkward ones among them. */
const values: Readonly<Record<IndexedType, readonly ColumnValue[]>> = {
  text: ['', 'a', 'B', 'b', 'ä', '\uffff', '😀', 'a%', "'", 'ab'],
  integer: [0, -1, 2, 10, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  number: [0, -0.5, 1.5, 1e300, -1e-300, 0.1],
  decimal: ['0', '-0', '1', '1.0', '1.05', '-1.05', '-1.5', '-10', '9', '10.00', `${'9'.repeat(60)}.1`, '0.05'],
  boolean: [true, false],
  timestamp: [
    0,
    1,
    -1,
    Date.UTC(2026, 0, 1),
    Date.parse('0001-01-01T00:00:00Z'),
    Date.parse('9999-12-31T23:59:59.999Z'),
  ],
};
const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'A', 'é', '\uffff', '😀', '😁', 'aa', '~'];
const tenants = ['t', 'u'];
const owners = ['', 't', 'u', '😀', '\uffff'];

const valueOf = (type: IndexedType): fc.Arbitrary<ColumnValue> => fc.constantFrom(...values[type]);
const maybe = (type: IndexedType): fc.Arbitrary<ColumnValue> =>
  fc.oneof({ weight: 4, arbitrary: valueOf(type) }, fc.constant(null));

const scope = fc.oneof(
  fc.constant(null),
  fc.record(
    {
      tenantId: fc.constantFrom(...tenants),
      userId: fc.constantFrom('x', 'y'),
      allowedPrincipals: fc.constantFrom('', 'g', 'g,h', 'h,i'),
      region: fc.constantFrom('north', null),
    },
    { requiredKeys: [] },
  ),
);
const indexed = fc.record(Object.fromEntries(columns.map(({ name, type }) => [name, maybe(type)])));
const model = fc.record({
  key: fc.constantFrom(...keys),
  owner: fc.constantFrom(...owners),
  isGone: fc.nat(9).map((n) => n === 0),
  scope,
  indexed,
});

const sorts = ['key', ...columns.map(({ name }) => name)];
const typeOf = (column: string): IndexedType => columns.find(({ name }) => name === column)?.type ?? 'text';
const operandOf = (column: string): fc.Arbitrary<ColumnValue> =>
  column === 'key' ? fc.constantFrom(...keys) : maybe(typeOf(column));
const condition: fc.Arbitrary<ColumnCondition> = fc.constantFrom(...sorts).chain((column) =>
  fc.oneof(
    fc.record({
      column: fc.constant(column),
      operator: fc.constantFrom('eq' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
      value: operandOf(column),
    }),
    fc.record({
      column: fc.constant(column),
      operator: fc.constant('in' as const),
      values: fc.array(operandOf(column), { maxLength: 4 }),
    }),
  ),
);
const principals: fc.Arbitrary<ModelQuery['principals']> = fc.constantFrom(
  null,
  { principals: ['g'] },
  { userId: 'y', principals: ['h', 'z'] },
);
const query: fc.Arbitrary<ModelQuery> = fc.constantFrom(...sorts).chain((column) =>
  fc
    .record({
      offset: fc.nat(3),
      limit: fc.nat(8),
      owner: fc.option(fc.constantFrom(...owners)),
      principals,
      where: fc.array(condition, { maxLength: 2 }),
      sort: fc.record({ column: fc.constant(column), descending: fc.boolean() }),
      after: fc.oneof(fc.constant(null), placeIn(column)),
      place: fc.constantFrom(...owners),
    })
    .map(({ owner, after, place, offset, limit, principals: anyOf, where, sort }) => ({
      offset,
      limit,
      principals: anyOf,
      where,
      sort,
      owner: owner === null ? null : { owner, values: {} },
      after: after === null || owner !== null ? after : { ...after, owner: place },
    })),
);

function placeIn(column: string): fc.Arbitrary<{ value: ColumnValue; key: string }> {
  const key = fc.constantFrom(...keys);
  return column === 'key'
    ? key.map((value) => ({ value, key: value }))
    : fc.record({ value: maybe(typeOf(column)), key });
}

async function fill(storage: PerspectiveStorage, perspective: string, models: readonly IndexedModel[]): Promise<void> {
  storage.define([{ perspective, columns }]);
  const from = await storage.readProgress(perspective);
  const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
  await storage.commitPerspective({ ...nothing, perspective, from, to: 1, models });
}

const runs = { memory: 1, SQLite: 60, PostgreSQL: 12 };

describeStores((stores, name) => {
  it(`answers random queries (SVC_TEST_SEED=${seed})`, { timeout: 60_000 }, async () => {
    const storage = (await stores.fresh())().perspectives;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(model, { selector: ({ key, owner }) => `${key} ${owner}`, maxLength: 20, size: 'max' }),
        fc.array(query, { minLength: 15, maxLength: 25, size: 'max' }),
        async (drafts, queries) => {
          const perspective = `Random${++run}`;
          const models = drafts.map(({ isGone, ...rest }) => ({
            ...rest,
            id: `${rest.key}\u001f${rest.owner}`,
            body: isGone ? null : rest.key,
            version: 1,
            lastEventId: newId(),
          }));
          const known = new InMemoryPerspectives();
          await fill(known, perspective, models);
          await fill(storage, perspective, models);
          for (const modelQuery of queries) {
            const expected = await known.listModels(perspective, modelQuery);
            const found = await storage.listModels(perspective, modelQuery);
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            expect(found.map((one) => one.scope)).toEqual(expected.map((one) => one.scope));
            expect(await storage.countModels(perspective, modelQuery)).toBe(
              await known.countModels(perspective, modelQuery),
            );
          }
        },
      ),
      { seed, numRuns: runs[name] },
    );
  });

  it('stores keys and texts of the maximum length, with any characters', async () => {
    const storage = (await stores.fresh())().perspectives;
    // All different, since a database may make an index smaller by what repeats.
    const longest = (first: number): string =>
      String.fromCharCode(...Array.from({ length: longestIndexedText }, (_, i) => first + ((i * 7_919) % 20_000)));
    const [key, text] = [longest(0x4e00), longest(0x4e01)];
    const owner = longest(0x4e02).slice(0, 21);
    const identity = { id: `${key}\u001f${owner}`, key, owner, scope: null };
    const longestOne = { ...identity, body: '{}', version: 1, lastEventId: newId(), indexed: { textValue: text } };
    await fill(storage, 'Longest', [longestOne]);
    const sort = { column: 'textValue', descending: false };
    const where = [{ column: 'textValue', operator: 'eq' as const, value: text }];
    const found = await storage.listModels('Longest', {
      offset: 0,
      limit: 10,
      owner: null,
      principals: null,
      where,
      sort,
    });
    expect(found.map((one) => one.key)).toEqual([key]);
  });

  it('stores, sorts and finds the longest decimals, together with the longest key', async () => {
    const storage = (await stores.fresh())().perspectives;
    const digits = (count: number, first: number): string =>
      Array.from({ length: count }, (_, i) => ((i * 7_919 + first) % 9) + 1).join('');
    const decimals = [
      digits(longestDecimal, 1),
      digits(longestDecimal, 2),
      `-${digits(longestDecimal - 1, 3)}`,
      `-${digits(longestDecimal - 1, 4)}`,
      `0.${'0'.repeat(longestDecimal - 3)}1`,
      `0.${'0'.repeat(longestDecimal - 3)}2`,
      `${digits(500, 5)}.${digits(longestDecimal - 501, 6)}`,
      `-0.${digits(longestDecimal - 3, 7)}`,
      `1.${'0'.repeat(longestDecimal - 2)}`,
      '1',
    ];
    const key = (i: number): string => `${i}${'\u4e00'.repeat(longestIndexedText - 1)}`;
    const owner = 'x'.repeat(64);
    const models = decimals.map((decimalValue, i) => ({
      id: `${key(i)}\u001f${owner}`,
      key: key(i),
      owner,
      body: '{}',
      version: 1,
      lastEventId: newId(),
      scope: null,
      indexed: { decimalValue },
    }));
    await fill(storage, 'LongestDecimals', models);
    const sort = { column: 'decimalValue', descending: false };
    const page = { offset: 0, limit: 20, owner: null, principals: null, sort };
    const keysOf = async (...where: ColumnCondition[]): Promise<string[]> =>
      (await storage.listModels('LongestDecimals', { ...page, where })).map((found) => found.key);
    const all = [...decimals.keys()].toSorted((a, b) => compareDecimal(decimals[a]!, decimals[b]!) || a - b);
    expect(await keysOf()).toEqual(all.map(key));
    for (const [i, value] of decimals.slice(0, 8).entries())
      expect(await keysOf({ column: 'decimalValue', operator: 'eq', value })).toEqual([key(i)]);
    expect(await keysOf({ column: 'decimalValue', operator: 'gt', value: decimals[1]! })).toEqual(
      all.filter((i) => compareDecimal(decimals[i]!, decimals[1]!) > 0).map(key),
    );
  });

  it('uses the columns that a table has, whatever columns a host knows', async () => {
    const open = await stores.fresh();
    const [older, newer] = [open().perspectives, open().perspectives];
    const modelOf = (key: string, body: string) => ({
      id: key,
      key,
      owner: '',
      body,
      version: 1,
      lastEventId: newId(),
      scope: null,
    });
    const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
    const other = { name: 'other', type: 'text' } as const;
    const commit = async (storage: PerspectiveStorage, to: number, ...models: IndexedModel[]): Promise<void> =>
      storage.commitPerspective({
        ...nothing,
        perspective: 'Changed',
        from: await storage.readProgress('Changed'),
        to,
        models,
      });
    newer.define([{ perspective: 'Changed', columns: [other], version: '1' }]);
    older.define([{ perspective: 'Changed', columns: [], version: '1' }]);
    await commit(newer, 1, { ...modelOf('k', '{"other":"b"}'), indexed: { other: 'b' } });
    await commit(older, 2, { ...modelOf('l', '{"other":"a"}'), indexed: name === 'memory' ? { other: 'a' } : {} });
    const sort = { column: 'other', descending: false };
    const sorted = { offset: 0, limit: 9, owner: null, principals: null, sort };
    expect((await newer.listModels('Changed', sorted)).map(({ key }) => key)).toEqual(['l', 'k']);
    if (name === 'memory') return;

    const another = { ...sorted, sort: { column: 'another', descending: false } };
    await expect(newer.listModels('Changed', another)).rejects.toMatchObject({ code: 'SVC_PROPERTY_NOT_READY' });
    const next = open().perspectives;
    next.define([{ perspective: 'Changed', columns: [other], version: '2' }]);
    expect(await older.ownPlace('Changed')).toEqual({ perspective: 'Changed', role: 'serving', name: 'Changed' });
    expect(await next.ownPlace('Changed')).toBeNull();
    const code = 'SVC_PERSPECTIVE_DEFINED_OTHERWISE';
    await expect(commit(next, 3, { ...modelOf('m', '{}'), indexed: {} })).rejects.toMatchObject({ code });
    await expect(next.clearPerspective('Changed')).rejects.toMatchObject({ code });
    expect(await next.readModels('Changed', ['k', 'l', 'm'])).toHaveLength(2);
  });
});
