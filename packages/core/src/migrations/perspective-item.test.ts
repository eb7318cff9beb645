import { describe, expect, it } from 'vitest';
import { MigrationStrategy } from '../system-events/index.js';
import type { PerspectiveColumn } from '../storage/index.js';
import { modelsDefinition, perspectiveItem, perspectiveTableOf, tablesOfRewrite } from './perspective-item.js';
import { contentHash } from './content-hash.js';
import { definitionText, requireValidDefinition, type TableDefinition } from './table-definition.js';

const note: PerspectiveColumn = { name: 'note', type: 'text' };
const placedAt: PerspectiveColumn = { name: 'placedAt', type: 'timestamp' };
const amount: PerspectiveColumn = { name: 'amount', type: 'decimal' };

// Hosts of all versions share the tables: a change of these values rewrites every perspective.
describe('the table of models', () => {
  it('has the columns of every perspective, then one for each indexed property, in the order of their names', () => {
    expect(
      modelsDefinition({ perspective: 'OrderSummary', columns: [placedAt, note, amount], version: '3' }),
    ).toStrictEqual({
      table: 'svc_perspective_order_summary',
      key: 'id',
      revision: 'revision',
      columns: [
        { name: 'id', type: 'text', required: true },
        { name: 'key', type: 'text', required: true },
        { name: 'owner', type: 'text', required: true },
        { name: 'body', type: 'text' },
        { name: 'version', type: 'integer', required: true },
        { name: 'last_event_id', type: 'uuid', required: true },
        { name: 'revision', type: 'integer', required: true },
        { name: 'tenant_id', type: 'text' },
        { name: 'user_id', type: 'text' },
        { name: 'organization_id', type: 'text' },
        { name: 'customer_id', type: 'text' },
        { name: 'allowed_principals', type: 'texts' },
        { name: 'extensions', type: 'json' },
        { name: 'p_amount', type: 'decimal', fill: { column: 'body', path: ['amount'] } },
        { name: 'p_note', type: 'text', fill: { column: 'body', path: ['note'] } },
        { name: 'p_placed_at', type: 'timestamp', fill: { column: 'body', path: ['placedAt'] } },
      ],
      indexes: [
        ['owner', 'key'],
        ['owner', 'p_amount', 'key'],
        ['owner', 'p_note', 'key'],
        ['owner', 'p_placed_at', 'key'],
      ],
      version: '3',
      perspective: 'OrderSummary',
    });
  });

  it('has the same definition whatever the order of properties', () => {
    const orders = [
      [note, placedAt, amount],
      [amount, placedAt, note],
      [placedAt, amount, note],
    ];
    const texts = orders.map((columns) => definitionText(modelsDefinition({ perspective: 'Orders', columns })));
    expect(new Set(texts).size).toBe(1);
    expect(orders[0]).toEqual([note, placedAt, amount]);
  });

  it('has no version if that is unknown', () => {
    for (const version of [null, undefined]) {
      const table = { perspective: 'Orders', columns: [], ...(version !== undefined && { version }) };
      expect(modelsDefinition(table)).not.toHaveProperty('version');
    }
    expect(modelsDefinition({ perspective: 'Orders', columns: [], version: '' })).toHaveProperty('version', '');
  });

  it('is valid, also without indexed properties', () => {
    const definition = modelsDefinition({ perspective: 'Orders', columns: [] });
    expect(definition.indexes).toEqual([['owner', 'key']]);
    for (const each of [definition, modelsDefinition({ perspective: 'A'.repeat(90), columns: [note] })]) {
      expect(() => requireValidDefinition('perspective/Orders', each)).not.toThrow();
    }
  });
});

describe('the item of a perspective', () => {
  it('has the name of the perspective, its table, and the replay if there is one', () => {
    const table = { perspective: 'OrderSummary', columns: [note] };
    const item = { kind: 'table', key: 'perspective/OrderSummary', definition: modelsDefinition(table) };
    expect(perspectiveItem(table)).toStrictEqual(item);
    const replay = () => Promise.resolve();
    expect(perspectiveItem(table, replay)).toStrictEqual({ ...item, replay });
  });
});

describe('the perspective of a definition', () => {
  it('has the indexed properties with their names and types, and the version', () => {
    const table = { perspective: 'OrderSummary', columns: [amount, placedAt], version: '3' };
    expect(perspectiveTableOf(modelsDefinition(table))).toStrictEqual({ ...table, layout: 'owned' });
    expect(perspectiveTableOf(modelsDefinition({ perspective: 'OrderSummary', columns: [] }))).toStrictEqual({
      perspective: 'OrderSummary',
      columns: [],
      version: null,
      layout: 'owned',
    });
  });

  it('of an earlier version of svc identifies models by their key', () => {
    const definition = { ...modelsDefinition({ perspective: 'Orders', columns: [note] }), key: 'key' };
    expect(perspectiveTableOf(definition)).toMatchObject({ perspective: 'Orders', columns: [note], layout: 'keyed' });
  });

  it('is null if the table is not that of a perspective', () => {
    const { perspective: _, ...definition } = modelsDefinition({ perspective: 'Orders', columns: [note] });
    expect(perspectiveTableOf(definition)).toBeNull();
  });
});

it('the new tables of a perspective are named after the hash, so that every host finds them', async () => {
  const to: TableDefinition = modelsDefinition({ perspective: 'Orders', columns: [note] });
  const target = await contentHash(definitionText(to));
  const rewrite = { key: 'perspective/Orders', strategy: MigrationStrategy.EventReplay, from: to, to, target };
  expect(tablesOfRewrite(rewrite)).toEqual({
    perspective: 'Orders',
    role: 'migrating',
    name: `Orders.${target.slice(-12)}`,
  });
});
