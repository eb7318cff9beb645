/** Small definitions of models: ids, names of tables, columns of queries and of other versions, listeners, errors. */
import { describe, expect, it } from 'vitest';
import { withFilledColumns } from './filled-columns.js';
import { missingColumn } from './missing-column.js';
import { ModelListeners, type ModelChange } from './model-changes.js';
import { keyOfModelId, modelIdOf } from './model-id.js';
import { asTables, migratingTables, mostRetained, newTables } from './model-tables.js';
import { PerspectiveDefinedOtherwiseError } from './perspective-defined-otherwise-error.js';
import { PerspectiveMovedError } from './perspective-moved-error.js';
import type { IndexedModel } from './perspective-storage.js';
import type { PerspectiveColumn, PerspectiveTable } from './perspective-table.js';
import { isAt } from './progress.js';
import { PropertyNotReadyError } from './property-not-ready-error.js';
import { recordedPerspective } from './recorded-perspective.js';
import { newId } from '../../messages/index.js';

describe('the id of a model', () => {
  it('contains its key, also one with the separator', () => {
    for (const key of ['k', '', 'a\u001fb']) expect(keyOfModelId(modelIdOf(key, 'owner'))).toBe(key);
    expect(modelIdOf('k', 'owner')).toBe('k\u001fowner');
  });

  it('is its key where models have no owners', () => expect(keyOfModelId('key')).toBe('key'));
});

describe('the names of tables', () => {
  it('are those of the perspective while they serve', () => {
    expect(asTables('Orders')).toEqual({ perspective: 'Orders', role: 'serving', name: 'Orders' });
    const given = newTables('Orders', 'retained');
    expect(asTables(given)).toBe(given);
  });

  it('of a rebuild, or of retained tables, are new each time', () => {
    const [first, second] = [newTables('Orders', 'rebuilding'), newTables('Orders', 'retained')];
    expect(first).toMatchObject({ perspective: 'Orders', role: 'rebuilding' });
    expect(second).toMatchObject({ perspective: 'Orders', role: 'retained' });
    expect([first, second].every(({ name }) => /^Orders\.[0-9a-f-]{36}$/.test(name))).toBe(true);
    expect(first.name).not.toBe(second.name);
  });

  it('of a migration are the same for the same definition', () => {
    const tables = { perspective: 'Orders', role: 'migrating', name: 'Orders.123456789abc' };
    expect(migratingTables('Orders', '0f123456789abc')).toEqual(tables);
    expect(migratingTables('Orders', 'ff123456789abc')).toEqual(tables);
  });

  it('there are two retained tables at most', () => expect(mostRetained).toBe(2));
});

describe('the columns of models that another version writes', () => {
  const model = (body: string | null, indexed: IndexedModel['indexed'] = {}): IndexedModel => {
    return { id: 'k', key: 'k', owner: '', body, version: 1, lastEventId: newId(), scope: null, indexed };
  };
  const state: PerspectiveColumn = { name: 'state', type: 'text' };
  const total: PerspectiveColumn = { name: 'total', type: 'integer' };

  it('are read from their bodies if the host does not know them', () => {
    const models = [
      model('{"state":"open","total":3}', { state: 'open' }),
      model('{"state":"paid"}', { state: 'paid' }),
    ];
    expect(withFilledColumns(models, [state], [state, total]).map(({ indexed }) => indexed)).toEqual([
      { state: 'open', total: 3 },
      { state: 'paid', total: null },
    ]);
  });

  it('are read from their bodies if the host has them with another type', () => {
    const known: PerspectiveColumn = { name: 'total', type: 'text' };
    const [filled] = withFilledColumns([model('{"total":3}', { total: 'three' })], [known], [total]);
    expect(filled!.indexed).toEqual({ total: 3 });
  });

  it('have no value if a model has no body', () => {
    const [filled] = withFilledColumns([model(null)], [], [state]);
    expect(filled).toMatchObject({ id: 'k', body: null, indexed: { state: null } });
  });

  it('are not read if the host knows all of them', () => {
    const models = [model('not JSON', { state: 'open', total: 1 })];
    expect(withFilledColumns(models, [state, total], [total])).toBe(models);
    expect(withFilledColumns(models, [], [])).toBe(models);
  });

  it('cannot be filled with a value of another type', () => {
    expect(() => withFilledColumns([model('{"total":"x"}')], [], [total])).toThrow('total is indexed as integer');
  });
});

describe('the column of a query that a table lacks', () => {
  const own: PerspectiveTable = {
    perspective: 'p',
    columns: [
      { name: 'state', type: 'text' },
      { name: 'total', type: 'integer' },
    ],
  };
  const sortedBy = (column: string) => ({ sort: { column, descending: false } });
  const where = (...columns: readonly string[]) => ({
    where: columns.map((column) => ({ column, operator: 'eq', value: null }) as const),
  });

  it('is none if it has all of them, or if only the key is asked for', () => {
    expect(missingColumn(own, own, { ...where('state', 'total'), ...sortedBy('total') })).toBeNull();
    expect(missingColumn({ ...own, columns: [] }, own, {})).toBeNull();
    expect(missingColumn({ ...own, columns: [] }, own, { ...where('key'), ...sortedBy('key') })).toBeNull();
  });

  it('is the first one of the conditions, then that of the order', () => {
    const table = { ...own, columns: [own.columns[0]!] };
    expect(missingColumn(table, own, where('state', 'total'))).toBe('total');
    expect(missingColumn(table, own, { ...where('state'), ...sortedBy('total') })).toBe('total');
    expect(missingColumn({ ...own, columns: [] }, own, { ...where('state'), ...sortedBy('total') })).toBe('state');
  });

  it('is one that it has with another type', () => {
    const table: PerspectiveTable = { ...own, columns: [{ name: 'total', type: 'text' }] };
    expect(missingColumn(table, own, where('total'))).toBe('total');
  });

  it('is none if the host does not know the column, but the table has it', () => {
    expect(missingColumn(own, { ...own, columns: [] }, where('total'))).toBeNull();
  });
});

describe('the listeners of a storage', () => {
  it('are all called with each change', () => {
    const listeners = new ModelListeners();
    const heard: [string, ModelChange][] = [];
    expect(listeners.isEmpty).toBe(true);
    listeners.add((change) => heard.push(['first', change]));
    listeners.add((change) => heard.push(['second', change]));
    expect(listeners.isEmpty).toBe(false);
    const change: ModelChange = { perspective: 'p', ids: ['k'], revision: 3 };
    listeners.tell(change);
    expect(heard).toEqual([
      ['first', change],
      ['second', change],
    ]);
  });

  it('learn that any model of several perspectives may have changed', () => {
    const listeners = new ModelListeners();
    const heard: ModelChange[] = [];
    listeners.add((change) => heard.push(change));
    listeners.tellAll(new Set(['p', 'q']));
    expect(heard).toEqual([
      { perspective: 'p', ids: null, revision: null },
      { perspective: 'q', ids: null, revision: null },
    ]);
  });
});

it('tables are unchanged if neither their revision nor their sequence number has changed', () => {
  const from = { sequence: 4, revision: 2 };
  expect(isAt({ ...from, changed: 1 }, from)).toBe(true);
  expect(isAt({ sequence: 5, revision: 2 }, from)).toBe(false);
  expect(isAt({ sequence: 4, revision: 3 }, from)).toBe(false);
});

it('a recorded perspective has the names of its indexed properties, and its version if it is known', () => {
  const table: PerspectiveTable = { perspective: 'p', columns: [{ name: 'state', type: 'text' }] };
  const recorded = { perspective: 'p', sequence: 7, version: null, indexed: ['state'] };
  expect(recordedPerspective(7, table)).toEqual(recorded);
  expect(recordedPerspective(7, { ...table, version: 'v2' })).toEqual({ ...recorded, version: 'v2' });
});

it.each([
  [new PerspectiveDefinedOtherwiseError('Orders'), 'SVC_PERSPECTIVE_DEFINED_OTHERWISE', 'the models of Orders'],
  [
    new PerspectiveMovedError('Orders', 3, 5),
    'SVC_PERSPECTIVE_MOVED',
    'Orders has processed events up to sequence 5, not 3',
  ],
  [
    new PropertyNotReadyError('Orders', 'state'),
    'SVC_PROPERTY_NOT_READY',
    'Orders cannot be filtered or sorted by state',
  ],
])('%s has its code, and names the perspective', (error, code, text) => {
  expect(error.code).toBe(code);
  expect(error.message).toContain(text);
});
