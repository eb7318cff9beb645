/** A decorator may replace its class: what other decorators declared applies to the new class. */
import { expect, it } from 'vitest';
import { commandEndpoint, endpointAccessOf } from '../../endpoints/index.js';
import { eventVersion, MessageRegistry, tagged, tagsOf, type MessageClass } from '../../messages/index.js';
import { perspective, perspectiveAccessOf } from '../../perspectives/index.js';
import { auditAttributeOf, auditEvent } from '../../system-events/index.js';
import { createService } from '../service.js';

function traced<T extends MessageClass>(target: T, _context: ClassDecoratorContext): T {
  return class extends (target as MessageClass) {} as T;
}

@traced
@commandEndpoint<CancelOrder, void>({ restRoute: '/cancel', requires: 'orders:admin' })
class CancelOrder {
  reason = '';
}

@traced
@tagged('billing')
@auditEvent({ reason: 'money' })
@eventVersion(2, { 1: (body) => ({ ...body, sum: '0' }) })
class OrderPaid {
  sum!: string;
}

@traced
@perspective({ route: '/orders', requires: 'orders:read' })
class Orders {
  apply(): null {
    return null;
  }
}

it('who may use an endpoint', () => {
  expect(endpointAccessOf(CancelOrder)).toEqual({
    requires: 'orders:admin',
    allowAnonymous: false,
    scope: 0,
    recordGrant: false,
  });
});

it('who may read the models of a perspective, and where', () => {
  expect(perspectiveAccessOf(Orders)).toMatchObject({ route: '/orders', requires: 'orders:read' });
});

it('the tags of a message, its audit and its version', () => {
  expect(tagsOf(OrderPaid)).toEqual(['billing']);
  expect(auditAttributeOf(OrderPaid)).toEqual({ reason: 'money' });
  const read = (value: unknown): OrderPaid => value as OrderPaid;
  const messages = new MessageRegistry([
    { type: 'test.OrderPaid', kind: 'event', class: OrderPaid, read, write: () => '{}' },
  ]);
  expect(messages.readStoredMessage('test.OrderPaid', {}, {})).toEqual({ sum: '0' });
});

it('a service does not start with an endpoint whose class has no declaration', () => {
  class Unsaid extends CancelOrder {}
  const service = createService({
    messages: [{ type: 'test.Unsaid', kind: 'command', class: Unsaid, read: () => new Unsaid(), write: () => '{}' }],
    receptors: [{ name: 'UnsaidReceptor', command: Unsaid, create: () => ({ receive: () => undefined }) }],
    endpoints: [
      {
        name: 'UnsaidEndpoint',
        command: Unsaid,
        restRoute: '/cancel',
        graphQLMutation: null,
        readRequest: () => new Unsaid(),
        writeResult: () => '{}',
        create: () => expect.unreachable(),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
  });
  expect(() => service.start()).toThrow(expect.objectContaining({ code: 'SVC_ENDPOINT_NOT_DECLARED' }));
});
