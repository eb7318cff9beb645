import { expect, it } from 'vitest';
import { MessageRegistry, type MessageDescriptor } from './message-registry.js';
import { storedAs, storedTypeOf } from './stored-as.js';

@storedAs('orders.OrderSent')
class OrderShipped {}

/** Another decorator may replace the class. */
function replaced(target: new () => object): typeof target {
  return class extends target {};
}
@replaced
@storedAs('orders.OrderLost')
class OrderMissing {}

const descriptor = (type: string): MessageDescriptor => ({
  type,
  kind: 'event',
  class: OrderShipped,
  read: () => new OrderShipped(),
  write: () => '{}',
});

it('notes the type of a class, also if another decorator replaces the class', () => {
  expect(storedTypeOf(OrderShipped)).toBe('orders.OrderSent');
  expect(storedTypeOf(OrderMissing)).toBe('orders.OrderLost');
  expect(storedTypeOf(class Other {})).toBeUndefined();
});

it('accepts a registry with that type only', () => {
  expect(new MessageRegistry([descriptor('orders.OrderSent')]).ofClass(OrderShipped).type).toBe('orders.OrderSent');
  expect(() => new MessageRegistry([descriptor('orders.OrderShipped')])).toThrow(
    expect.objectContaining({
      code: 'SVC_STORED_TYPE_CHANGED',
      message:
        'OrderShipped is stored as orders.OrderSent, but the generated code has orders.OrderShipped. Run "svc generate", and compile again.',
    }),
  );
});

it.each([
  '',
  'OrderSent',
  'orders.',
  '.OrderSent',
  'orders.Order Sent',
  'orders/OrderSent',
  '1.OrderSent',
  'a..OrderSent',
  `a.${'b'.repeat(249)}`,
])('rejects the type %j', (type) => {
  expect(() => storedAs(type)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
});
