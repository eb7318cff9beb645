import { afterAll, expect, it } from 'vitest';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const fixture = new ServiceFixture({});
afterAll(() => fixture[Symbol.dispose]());

it('stores messages under the namespace and their names, or under the type of storedAs', () => {
  fixture.replaceSources({
    'src/a.ts': `${imports}
      const sent = 'old-shop.orders.OrderSent';
      export class OrderPaid implements Event {}
      @storedAs(sent)
      export class OrderShipped implements Event {}
      export class Ship implements Command {}
      storedAs('shop.Send')(Ship);
      export class ShipReceptor implements Receptor<Ship> { receive(): void {} }
    `,
  });
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  expect(model.messages.map(({ name, type }) => [name, type])).toEqual([
    ['OrderPaid', 'shop.OrderPaid'],
    ['OrderShipped', 'old-shop.orders.OrderSent'],
    ['Ship', 'shop.Send'],
  ]);
});
