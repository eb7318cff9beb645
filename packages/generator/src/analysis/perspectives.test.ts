import { afterAll, describe, expect, it } from 'vitest';
import type { ServiceModel } from '../model/index.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const fixture = new ServiceFixture({});
afterAll(() => fixture[Symbol.dispose]());

function modelOf(source: string): ServiceModel {
  fixture.replaceSources({ 'src/orders.ts': imports + source });
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  return model;
}

const events = `
  export interface Order { total: Decimal; lines: Line[] }
  export interface Line { name: string }
  export class OrderPlaced implements Event { a!: string }
  export class OrderPaid implements Event { a!: string }
`;

describe('perspectives', () => {
  it('are found with their model, their events and their constructor parameters, sorted by name', () => {
    const { perspectives, types } = modelOf(`${events}
      export class Second implements Perspective<Order, OrderPlaced | OrderPaid> {
        constructor(dispatcher: Dispatcher, clock: Date, zone?: string) {}
        apply() { return null; }
      }
      export class First implements Perspective<Order, OrderPlaced> { apply() { return null; } }
    `);
    expect(perspectives).toEqual([
      {
        name: 'First',
        module: 'orders',
        model: { kind: 'ref', id: 'orders#Order' },
        events: [{ name: 'OrderPlaced', module: 'orders' }],
        columns: [],
        parameters: [],
        route: null,
        graphQLQuery: null,
        graphQLListQuery: null,
        description: null,
      },
      {
        name: 'Second',
        module: 'orders',
        model: { kind: 'ref', id: 'orders#Order' },
        events: [
          { name: 'OrderPaid', module: 'orders' },
          { name: 'OrderPlaced', module: 'orders' },
        ],
        columns: [],
        parameters: [
          { name: 'dispatcher', kind: 'dispatcher', optional: false },
          { name: 'clock', kind: 'service', optional: false },
          { name: 'zone', kind: 'service', optional: true },
        ],
        route: null,
        graphQLQuery: null,
        graphQLListQuery: null,
        description: null,
      },
    ]);
    expect(types.map(({ id }) => id)).toContain('orders#Line');
  });

  it('have their indexed properties with their types', () => {
    const model = `
      export enum Size { Small = 'small', Large = 'large' }
      export interface Order {
        total: Decimal; pieces: Int; weight: number; open?: boolean; at: Date | null; id: Uuid; note: string;
        status: 'open' | 'paid'; level: 1 | 2; size: Size; lines: string[];
      }
      export class OrderPlaced implements Event { a!: string }
    `;
    const names = ['total', 'pieces', 'weight', 'open', 'at', 'id', 'note', 'status', 'level', 'size'];
    const types = ['decimal', 'integer', 'number', 'boolean', 'timestamp', 'text', 'text', 'text', 'integer', 'text'];
    const columns = names.map((name, i) => ({ name, type: types[i] }));
    const body = 'implements Perspective<Order, OrderPlaced> { apply() { return null; } }';
    const decorated = modelOf(`${model}
      @perspective({ indexed: ${JSON.stringify(names)} }) export class Orders ${body}`);
    const called = modelOf(`${model}
      const indexed = ${JSON.stringify(names)} as const;
      export class Orders ${body}
      perspective({ indexed })(Orders);`);
    expect([decorated.perspectives[0]?.columns, called.perspectives[0]?.columns]).toEqual([columns, columns]);
  });

  it('apply system events, which core exports', () => {
    const { perspectives, messages } = modelOf(`${events}
      export class Audit implements Perspective<Order, EventAudited | OrderPaid> { apply() { return null; } }
    `);
    expect(perspectives[0]?.events).toEqual([
      { name: 'EventAudited', module: null },
      { name: 'OrderPaid', module: 'orders' },
    ]);
    expect(messages.map(({ name }) => name)).toEqual(['OrderPaid', 'OrderPlaced']);
  });

  it('are found by symbol through base classes, aliases and renames', () => {
    const { perspectives } = modelOf(`${events}
      import { type Perspective as View } from '@svc/core';
      abstract class Base<T extends Event> implements View<Order, T> { apply() { return null; } }
      type Happenings = OrderPlaced | OrderPaid;
      export class Third extends Base<Happenings> {}
      export class Fourth implements View<Order, Happenings> { apply() { return null; } }
      namespace own { export interface Perspective<T> { of: T } }
      export class Other implements own.Perspective<string> { of = ''; }
    `);
    expect(perspectives.map(({ name, events: applied }) => [name, applied.length])).toEqual([
      ['Fourth', 2],
      ['Third', 2],
    ]);
  });

  it('have the queries of their decorator or of a call on the class', () => {
    const { perspectives } = modelOf(`${events}
      const page = 'orders' as const;
      /** What is known of an order. */
      @perspective({ route: '/orders', graphQLQuery: 'order', graphQLListQuery: page })
      export class A implements Perspective<Order, OrderPlaced> { apply() { return null; } }
      export class B implements Perspective<Order, OrderPlaced> { apply() { return null; } }
      perspective({ graphQLListQuery: 'others', graphQLQuery: '' })(B);
      @perspective({ graphQLQuery: null })
      export class C implements Perspective<Order, OrderPlaced> { apply() { return null; } }
    `);
    expect(perspectives.map((found) => [found.graphQLQuery, found.graphQLListQuery, found.description])).toEqual([
      ['order', 'orders', 'What is known of an order.'],
      [null, 'others', null],
      [null, null, null],
    ]);
  });

  it('have anonymous models and models that are tagged unions', () => {
    const { perspectives } = modelOf(`${events}
      export type State = { is: 'open' } | { is: 'paid'; at: Date };
      export class Named implements Perspective<State, OrderPlaced> { apply() { return null; } }
      export class Unnamed implements Perspective<{ orders: number }, OrderPlaced> { apply() { return null; } }
      export class Words implements Perspective<Record<string, number>, OrderPlaced> { apply() { return null; } }
    `);
    expect(perspectives.map(({ model }) => model.kind)).toEqual(['ref', 'object', 'record']);
  });
});
