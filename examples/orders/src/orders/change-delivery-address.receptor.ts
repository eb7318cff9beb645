import type { Receptor, ReceptorContext } from '@svc/core';
import type { ChangeDeliveryAddress, DeliveryAddress } from './change-delivery-address.js';
import type { ShippingAddress } from './create-order.js';
import { DeliveryAddressChanged } from './order-events.js';
import { loadOrder, requireOpen } from './order.js';

export class ChangeDeliveryAddressReceptor implements Receptor<ChangeDeliveryAddress, DeliveryAddress> {
  async receive(command: ChangeDeliveryAddress, context: ReceptorContext): Promise<DeliveryAddress> {
    const { orderId } = command;
    const shippingAddress: ShippingAddress = command.shippingAddress;
    const order = await loadOrder(context, orderId);
    requireOpen(order.state);
    const { customerId } = order.state;
    context.append(orderId, new DeliveryAddressChanged(orderId, customerId, shippingAddress));
    return { customerId, ...shippingAddress };
  }
}
