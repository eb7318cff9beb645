import { readFileSync } from 'node:fs';
import { InMemoryStorage, newId } from '@svc/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHost } from '../../examples/orders/src/host.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { CreateOrderReceptor } from '../../examples/orders/src/orders/create-order.receptor.js';
import { OrderSummaryPerspective } from '../../examples/orders/src/orders/order-summary.perspective.js';
import { diagramUnder, filesOnStack, missingCalls } from './call-paths.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

const order = {
  customerId: newId(),
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

/** Places an order over REST and one over GraphQL, and collects the stacks: at the receptor, at commits, where the model is made and where it is stored. */
async function stacksOfAnOrder(): Promise<readonly (readonly string[])[]> {
  const stacks: (readonly string[])[] = [];
  const storage = new InMemoryStorage();
  const watch = <T extends object>(target: T, name: keyof T & string): void => {
    const inner = target[name] as (...args: unknown[]) => unknown;
    vi.spyOn(target, name as never).mockImplementation(function (this: unknown, ...args: unknown[]) {
      stacks.push(filesOnStack());
      return inner.apply(this, args);
    } as never);
  };
  watch(CreateOrderReceptor.prototype, 'receive');
  watch(OrderSummaryPerspective.prototype, 'apply');
  watch(storage, 'commit');
  watch(storage.perspectives, 'commitPerspective');
  onTestFinished(() => void vi.restoreAllMocks());

  const { app, service } = await createHost({}, { storage, keyVault: temporaryKeyVault() });
  const rest = await app.inject({ method: 'POST', url: '/orders', payload: order });
  const query = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
  const graphql = await app.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query, variables: { command: order } },
  });
  expect([rest.statusCode, graphql.json()]).toEqual([200, { data: { createOrder: { orderId: expect.any(String) } } }]);
  await service.idle();
  await app.close();
  return stacks;
}

it('shows the path of a command and the path of an event into a model as the code takes them', async () => {
  const stacks = await stacksOfAnOrder();
  expect(missingCalls(diagramUnder(page, '## The path of a command'), stacks)).toEqual([]);
  expect(missingCalls(diagramUnder(page, '## The path of an event into a model'), stacks)).toEqual([]);
});

it('finds a file and an arrow that the code does not have', () => {
  const diagram = diagramUnder('\n## A\n```mermaid\n  a["x.ts<br/>x"]\n  b["y.ts<br/>y"]\n  b --> a\n```\n', '## A');
  expect(missingCalls(diagram, [['x.ts', 'y.ts']])).toEqual(['y.ts --> x.ts']);
  expect(missingCalls(diagram, [['y.ts']])).toEqual(['x.ts', 'y.ts --> x.ts']);
});
