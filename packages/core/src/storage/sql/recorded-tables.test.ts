import { describe, expect, it } from 'vitest';
import { modelIdOf } from '../models/model-id.js';
import { asTables, type ModelTables } from '../models/model-tables.js';
import { idsIn, indexedColumn, modelsOf } from './model-rows.js';
import {
  placeOfVersion,
  toRebuilding,
  toRecordedPerspective,
  toRecordedTables,
  toTablesInRole,
  type RecordedTables,
} from './recorded-tables.js';

/** A row of `svc_perspectives`. */
function row(fields: Record<string, string | number | null> = {}) {
  return {
    name: 'Orders',
    perspective: 'Orders',
    role: 'serving',
    sequence: '41',
    revision: '7',
    changed: '5',
    generation: 'g',
    definition: '{"columns":[{"name":"state","type":"text"}],"version":"v1","layout":"owned"}',
    ...fields,
  };
}
const recorded = (fields: Record<string, string | number | null> = {}, tables: ModelTables = asTables('Orders')) =>
  toRecordedTables(tables, row(fields));

describe('recorded tables', () => {
  const columns = [{ name: 'state', type: 'text' }];

  it('have their progress, their definition, and the revision that last changed a model', () => {
    expect(recorded()).toEqual({
      tables: asTables('Orders'),
      sequence: 41,
      revision: 7,
      segments: [],
      table: { perspective: 'Orders', columns, version: 'v1', layout: 'owned' },
      text: row().definition,
      generation: 'g',
      changed: 5,
    });
  });

  it('that are divided have the progress of each segment', () => {
    const parts = JSON.stringify([
      [41, 8, null],
      [40, 9, null],
    ]);
    expect(recorded({ parts })).toMatchObject({
      sequence: 40,
      revision: 10,
      segments: [
        { sequence: 41, revision: 8 },
        { sequence: 40, revision: 9 },
      ],
    });
    expect(recorded({ parts: null })).toMatchObject({ sequence: 41, segments: [] });
  });

  it('parse their definition only once while it stays the same', () => {
    const last = recorded();
    expect(toRecordedTables(last.tables, row({ sequence: 42 }), last).table).toBe(last.table);
    const changed = toRecordedTables(last.tables, row({ definition: '{"columns":[],"version":"v2"}' }), last);
    expect(changed.table).toEqual({ perspective: 'Orders', columns: [], version: 'v2', layout: 'keyed' });
  });

  it('of a query by role have the name, the role and the perspective of their row', () => {
    expect(toTablesInRole(row({ name: 'Orders.1', role: 'retained' }))).toMatchObject({
      tables: { perspective: 'Orders', role: 'retained', name: 'Orders.1' },
      table: { perspective: 'Orders' },
      sequence: 41,
    });
  });

  it('that a rebuild fills can replace the serving ones if their definitions are the same', () => {
    const rebuilding = { perspective: 'Orders', role: 'rebuilding', name: 'Orders.1' } as const;
    const other = { ...rebuilding, name: 'Orders.2' };
    const all = [recorded({ sequence: 3 }, rebuilding), recorded({ definition: '{"columns":[]}' }, other)];
    expect(toRebuilding(all, recorded())).toEqual([
      { tables: rebuilding, sequence: 3, isAlike: true },
      { tables: other, sequence: 41, isAlike: false },
    ]);
  });

  it('that were retained are found by the version of their models', () => {
    const retained = ['v1', 'v2'].map((version) =>
      recorded({ definition: JSON.stringify({ columns: [], version }) }, { ...asTables('Orders'), name: version }),
    );
    expect(placeOfVersion('v2', retained)?.name).toBe('v2');
    expect(placeOfVersion('v1', retained)?.name).toBe('v1');
    expect(placeOfVersion('v3', retained)).toBeNull();
    expect(placeOfVersion(null, [...retained, recorded({ definition: '{"columns":[],"version":null}' })])).toBeNull();
  });

  it('that serve are a perspective with its version and its indexed properties', () => {
    const { perspective: _perspective, role: _role, ...serving } = row();
    expect(toRecordedPerspective(serving)).toEqual({
      perspective: 'Orders',
      sequence: 41,
      version: 'v1',
      indexed: ['state'],
    });
  });
});

describe('the models of tables', () => {
  const owned = recorded();
  const keyed: RecordedTables = { ...owned, table: { ...owned.table, layout: 'keyed' } };

  it('are read as they are stored if the tables have ids and owners', () => {
    expect(modelsOf(owned)).toBe('svc_perspective_orders');
    expect(idsIn(owned, [modelIdOf('k', 'a')])).toEqual([modelIdOf('k', 'a')]);
  });

  it('of keyed tables are read as if they had ids and owners, and are found by their keys', () => {
    expect(modelsOf(keyed)).toMatch(/^\(SELECT .*\bkey AS id\b.*\bcoalesce\(tenant_id, ''\) AS owner\b.*\) models$/);
    expect(modelsOf(keyed)).toContain('FROM svc_perspective_orders)');
    expect(idsIn(keyed, [modelIdOf('k', 'a'), 'l'])).toEqual(['k', 'l']);
  });

  it('have a quoted column for each indexed property', () => {
    expect(indexedColumn({ name: 'placedAt' })).toBe('"p_placed_at"');
  });
});
