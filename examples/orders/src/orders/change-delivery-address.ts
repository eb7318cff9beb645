import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type Uuid } from '@svc/core';
import type { ShippingAddress } from './create-order.js';

/** The address as printed on a label, in one line. */
export class ChangeDeliveryAddressRequest {
  orderId!: Uuid;
  /** `street, city, state zip`, for example `1 Main St, Springfield, IL 62701`. */
  label!: string & MaxLength<300>;
}

/** Sends an order that is not paid yet to another address. */
@commandEndpoint<ChangeDeliveryAddress, ShippingAddress>({
  restRoute: '/orders/change-delivery-address',
  graphQLMutation: 'changeDeliveryAddress',
  requestType: ChangeDeliveryAddressRequest,
  requires: 'orders:write',
  scope: ScopeFilters.Tenant,
})
export class ChangeDeliveryAddress implements Command {
  orderId!: Uuid;
  shippingAddress!: ShippingAddress;
}
