import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type Uuid } from '@svc/core';
import type { ShippingAddress } from './create-order.js';

/** What callers send: the address as it stands on a label, one line of text. */
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
