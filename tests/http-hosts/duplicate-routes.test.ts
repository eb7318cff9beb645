/** Two parts of a host with one route: the start names both of them, on every host. */
import { createService, perspective, type Service } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { registry } from '../../examples/orders/src/generated/registry.js';
import { CustomerOverviewPerspective } from '../../examples/orders/src/orders/customer-overview.perspective.js';
import { OrderSummaryPerspective } from '../../examples/orders/src/orders/order-summary.perspective.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { hosts } from './hosts.js';
import type { Orders } from './orders.js';

class Summaries extends OrderSummaryPerspective {}
class Overviews extends CustomerOverviewPerspective {}
perspective({ route: '/shelf' })(Summaries);

function serviceWith(route: string): Service {
  perspective({ route })(Overviews);
  const entryOf = (base: object, own: typeof Summaries | typeof Overviews) => ({
    ...registry.perspectives!.find((entry) => entry.class === base)!,
    name: own.name,
    class: own,
    create: () => new own(),
  });
  const perspectives = [entryOf(OrderSummaryPerspective, Summaries), entryOf(CustomerOverviewPerspective, Overviews)];
  const { openapi } = registry;
  const messages = registry.messages.filter(({ kind }) => kind === 'event');
  return createService<object>({ messages, openapi, receptors: [], endpoints: [], perspectives }, {})
    .useKeyVault(temporaryKeyVault())
    .addServicePerspectives()
    .reportTo(() => {});
}

describe.each(hosts)('on $name', ({ start }) => {
  it.each([
    ['/shelf', 'The route GET /shelf of the perspective Overviews already belongs to the perspective Summaries.'],
    ['/docs', 'The route GET /docs of the documentation of the API already belongs to the perspective Overviews.'],
  ])('rejects a second %s', async (route, message) => {
    const service = serviceWith(route);
    await expect(
      start({ service: service as unknown as Orders['service'], whileOrdering: () => {} }, []),
    ).rejects.toMatchObject({
      code: 'SVC_DUPLICATE_ROUTE',
      message: expect.stringContaining(message) as string,
    });
    await service.stop();
  });
});
