import { expect, it } from 'vitest';
import {
  MessageRegistry,
  type MessageDescriptor,
  type MessageKind,
  type TransportPublishFilter,
} from '../messages/index.js';
import { auditDestination } from '../system-events/index.js';
import { interestsOf, namespaceOf, topicOf, topicsOf } from './topics.js';

function described(type: string, kind: MessageKind): MessageDescriptor {
  const made = class {};
  return { type, kind, class: made, read: () => new made(), write: () => '{}' };
}

const placed = described('orders.Placed', 'event');
const paid = described('orders.Paid', 'event');
const shipped = described('shop.stock.Shipped', 'event');
const cleared = described('orders.Cleared', 'systemEvent');
const audited = described('svc.Audited', 'event');
const cancel = described('orders.Cancel', 'command');
const messages = new MessageRegistry([placed, shipped, cleared, paid, audited, cancel]);

const receives = (...wanted: readonly MessageDescriptor[]): TransportPublishFilter => ({
  shouldPublishToTransport: () => true,
  shouldReceiveFromTransport: (made) => wanted.some((message) => message.class === made),
});
const everything = receives(placed, paid, shipped, cleared, audited, cancel);

it('has the namespace of a type as its topic, and one topic for system events', () => {
  expect(namespaceOf('shop.stock.Shipped')).toBe('shop.stock');
  expect([placed, shipped, cleared, audited].map(topicOf)).toEqual([
    'orders',
    'shop.stock',
    auditDestination,
    auditDestination,
  ]);
});

it('groups types by their topics', () => {
  expect(topicsOf([placed, shipped, paid])).toEqual([
    { topic: 'orders', types: ['orders.Placed', 'orders.Paid'] },
    { topic: 'shop.stock', types: ['shop.stock.Shipped'] },
  ]);
});

it('subscribes to domain events and system events separately, and to no commands', () => {
  expect(interestsOf(messages, everything, () => true)).toEqual([
    {
      name: 'events',
      topics: [
        { topic: 'orders', types: ['orders.Placed', 'orders.Paid'] },
        { topic: 'shop.stock', types: ['shop.stock.Shipped'] },
      ],
      unwanted: [],
    },
    {
      name: 'system-events',
      topics: [{ topic: auditDestination, types: ['orders.Cleared', 'svc.Audited'] }],
      unwanted: [],
    },
  ]);
});

it('ends subscriptions to namespaces that are not accepted, and to types that the filter rejects', () => {
  expect(interestsOf(messages, receives(placed, shipped), (namespace) => namespace === 'orders')).toEqual([
    {
      name: 'events',
      topics: [{ topic: 'orders', types: ['orders.Placed'] }],
      unwanted: [
        { topic: 'shop.stock', types: ['shop.stock.Shipped'] },
        { topic: 'orders', types: ['orders.Paid'] },
      ],
    },
  ]);
});
