import {
  commandEndpoint,
  ScopeFilters,
  type Command,
  type MaxLength,
  type Personal,
  type Secret,
  type Uuid,
} from '@svc/core';

/** The address as printed on a label, in one line. */
export class ChangeDeliveryAddressRequest {
  orderId!: Uuid;
  /** `street, city, state zip`, for example `1 Main St, Springfield, IL 62701`. */
  label!: string & MaxLength<300>;
}

/** Sends an order that is not paid yet to another address. */
@commandEndpoint<ChangeDeliveryAddress, DeliveryAddress>({
  restRoute: '/orders/change-delivery-address',
  graphQLMutation: 'changeDeliveryAddress',
  requestType: ChangeDeliveryAddressRequest,
  requires: 'orders:write',
  scope: ScopeFilters.Tenant,
})
export class ChangeDeliveryAddress implements Command {
  orderId!: Uuid;
  shippingAddress!: RequestedAddress;
}

// The command does not say whose address it is, so no key can encrypt it: its audit record does not contain it. The event does.
export interface RequestedAddress {
  street: string & Secret;
  city: string & Secret;
  state: string & Secret;
  zipCode: string & Secret;
}

/** The address of an order and its customer. */
export interface DeliveryAddress {
  customerId: Uuid;
  street: string & Personal<'customerId'>;
  city: string & Personal<'customerId'>;
  state: string & Personal<'customerId'>;
  zipCode: string & Personal<'customerId'>;
}
