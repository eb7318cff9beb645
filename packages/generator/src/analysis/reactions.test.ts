import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const fixture = new ServiceFixture({});
afterAll(() => fixture[Symbol.dispose]());

describe('reactions', () => {
  it('are found with their events and their constructor parameters, sorted by name', () => {
    const source = `
      export class OrderPlaced implements Event { a!: string }
      export class OrderPaid implements Event { a!: string }
      @reaction({ from: 'now', name: 'billing' })
      export class Second implements Reaction<OrderPlaced | OrderPaid | EventAudited> {
        constructor(dispatcher: Dispatcher, payments: Date) {}
        react(): void {}
      }
      export class First implements Reaction<OrderPlaced> { async react(): Promise<void> {} }
    `;
    fixture.replaceSources({ 'src/orders.ts': imports + source });
    const { model, diagnostics } = fixture.analyze();
    expect(diagnostics).toEqual([]);
    expect(model.reactions).toEqual([
      { name: 'First', module: 'orders', events: [{ name: 'OrderPlaced', module: 'orders' }], parameters: [] },
      {
        name: 'Second',
        module: 'orders',
        events: [
          { name: 'EventAudited', module: null },
          { name: 'OrderPaid', module: 'orders' },
          { name: 'OrderPlaced', module: 'orders' },
        ],
        parameters: [
          { name: 'dispatcher', kind: 'dispatcher', optional: false },
          { name: 'payments', kind: 'service', optional: false },
        ],
      },
    ]);
  });
});

describe('processes', () => {
  it('are found with their events and their constructor parameters, sorted by name', () => {
    const source = `
      export class OrderPlaced implements Event { a!: string }
      export class OrderPaid implements Event { a!: string }
      abstract class Counting { initial() { return 0; } keyOf() { return null; } evolve(count: number) { return count + 1; } }
      @process({ from: 'now', name: 'billing' })
      export class Second extends Counting implements Process<number, OrderPlaced | OrderPaid | EventAudited> {
        constructor(dispatcher: Dispatcher, payments: Date) { super(); }
        react(): void {}
      }
      export class First extends Counting implements Process<number, OrderPlaced> { async react(): Promise<void> {} }
    `;
    fixture.replaceSources({ 'src/orders.ts': imports + source });
    const { model, diagnostics } = fixture.analyze();
    expect(diagnostics).toEqual([]);
    expect(model.processes).toEqual([
      { name: 'First', module: 'orders', events: [{ name: 'OrderPlaced', module: 'orders' }], parameters: [] },
      {
        name: 'Second',
        module: 'orders',
        events: [
          { name: 'EventAudited', module: null },
          { name: 'OrderPaid', module: 'orders' },
          { name: 'OrderPlaced', module: 'orders' },
        ],
        parameters: [
          { name: 'dispatcher', kind: 'dispatcher', optional: false },
          { name: 'payments', kind: 'service', optional: false },
        ],
      },
    ]);
  });
});
