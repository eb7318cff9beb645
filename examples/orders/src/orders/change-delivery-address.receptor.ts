import type { Receptor, ReceptorContext } from '@svc/core';
import type { ChangeDeliveryAddress } from './change-delivery-address.js';
import type { ShippingAddress } from './create-order.js';
import { DeliveryAddressChanged } from './order-events.js';
import { loadOrder, requireOpen } from './order.js';

export class ChangeDeliveryAddressReceptor implements Receptor<ChangeDeliveryAddress, ShippingAddress> {
  async receive(command: ChangeDeliveryAddress, context: ReceptorContext): Promise<ShippingAddress> {
    const { orderId, shippingAddress } = command;
    const order = await loadOrder(context, orderId);
    requireOpen(order.state);
    context.append(orderId, new DeliveryAddressChanged(orderId, shippingAddress));
    return shippingAddress;
  }
}
