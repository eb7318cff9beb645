/** Every storage answers every query as the one in memory does, which is what a query means. */
import {
  InMemoryPerspectives,
  newId,
  type ColumnCondition,
  type ColumnType,
  type ColumnValue,
  type IndexedModel,
  type ModelQuery,
  type PerspectiveColumn,
  type PerspectiveStorage,
  type ScopeCondition,
} from '@svc/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeStores } from './storages.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);

const columns: readonly PerspectiveColumn[] = (
  ['text', 'integer', 'number', 'decimal', 'boolean', 'timestamp'] as const
).map((type) => ({ name: `${type}Value`, type }));

/** Few values of each type, so that many are equal, and the awkward ones among them. */
const values: Readonly<Record<ColumnType, readonly ColumnValue[]>> = {
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

const valueOf = (type: ColumnType): fc.Arbitrary<ColumnValue> => fc.constantFrom(...values[type]);
const maybe = (type: ColumnType): fc.Arbitrary<ColumnValue> =>
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
const model = fc.record({ key: fc.constantFrom(...keys), isGone: fc.nat(9).map((n) => n === 0), scope, indexed });

const sorts = ['key', ...columns.map(({ name }) => name)];
const typeOf = (column: string): ColumnType => columns.find(({ name }) => name === column)?.type ?? 'text';
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
const scopeCondition: fc.Arbitrary<ScopeCondition | null> = fc.oneof(
  fc.constant(null),
  fc.record({
    equal: fc.constantFrom({}, { tenantId: 't' }, { tenantId: 'u', userId: 'x' }),
    anyOf: fc.constantFrom(null, { principals: ['g'] }, { userId: 'y', principals: ['h', 'z'] }),
  }),
);
const query: fc.Arbitrary<ModelQuery> = fc.constantFrom(...sorts).chain((column) =>
  fc.record({
    offset: fc.nat(3),
    limit: fc.nat(8),
    scope: scopeCondition,
    where: fc.array(condition, { maxLength: 2 }),
    sort: fc.record({ column: fc.constant(column), descending: fc.boolean() }),
    after: fc.oneof(fc.constant(null), placeIn(column)),
  }),
);

function placeIn(column: string): fc.Arbitrary<{ value: ColumnValue; key: string }> {
  const key = fc.constantFrom(...keys);
  return column === 'key'
    ? key.map((value) => ({ value, key: value }))
    : fc.record({ value: maybe(typeOf(column)), key });
}

async function fill(storage: PerspectiveStorage, perspective: string, models: readonly IndexedModel[]): Promise<void> {
  storage.define?.([{ perspective, columns }]);
  const from = await storage.readProgress(perspective);
  const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
  await storage.commitPerspective({ ...nothing, perspective, from, to: 1, models });
}

const runs = { memory: 1, SQLite: 60, PostgreSQL: 12 };

describeStores((stores, name) => {
  it(`is asked random queries (SVC_TEST_SEED=${seed})`, { timeout: 60_000 }, async () => {
    const storage = (await stores.fresh())().perspectives;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(model, { selector: ({ key }) => key, maxLength: 15, size: 'max' }),
        fc.array(query, { minLength: 15, maxLength: 25, size: 'max' }),
        async (drafts, queries) => {
          const perspective = `Random${++run}`;
          const models = drafts.map(({ isGone, ...rest }) => ({
            ...rest,
            body: isGone ? null : rest.key,
            version: 1,
            lastEventId: newId(),
          }));
          const known = new InMemoryPerspectives();
          await fill(known, perspective, models);
          await fill(storage, perspective, models);
          for (const asked of queries) {
            const expected = await known.listModels(perspective, asked);
            const found = await storage.listModels(perspective, asked);
            expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
            expect(found.map((one) => one.scope)).toEqual(expected.map((one) => one.scope));
          }
        },
      ),
      { seed, numRuns: runs[name] },
    );
  });

  it('makes a table with other columns anew, and a host that knows the old ones leaves it alone', async () => {
    const open = await stores.fresh();
    const [older, newer] = [open().perspectives, open().perspectives];
    const kept = { key: 'k', body: '{}', version: 1, lastEventId: newId(), scope: null, indexed: {} };
    await fill(older, 'Changed', [kept]);
    const from = await older.readProgress('Changed');
    newer.define?.([{ perspective: 'Changed', columns: [{ name: 'other', type: 'text' }] }]);
    expect(await newer.readModels('Changed', ['k'])).toEqual([]);
    expect(await newer.readProgress('Changed')).toMatchObject({ sequence: -1 });
    const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
    const keep = async (): Promise<void> =>
      older.commitPerspective({ ...nothing, perspective: 'Changed', from, to: 2, models: [kept] });
    const code = name === 'memory' ? 'SVC_PERSPECTIVE_MOVED' : 'SVC_PERSPECTIVE_DEFINED_OTHERWISE';
    await expect(keep()).rejects.toMatchObject({ code });
    if (name === 'memory') return;
    const sort = { column: 'textValue', descending: false };
    await expect(older.listModels('Changed', { offset: 0, limit: 1, scope: null, sort })).rejects.toMatchObject({
      code,
    });
  });
});
