import { messageOf, ValidationError } from '@svc/core';
import { ChangeDeliveryAddress, type ChangeDeliveryAddressRequest } from './change-delivery-address.js';
import * as generated from './generated/change-delivery-address.endpoint.js';

const label = /^([^,]+), *([^,]+), *([A-Z]{2}) (\d{5}(?:-\d{4})?)$/;

export class ChangeDeliveryAddressEndpoint extends generated.ChangeDeliveryAddressEndpoint {
  protected override mapRequestToCommand(request: ChangeDeliveryAddressRequest): ChangeDeliveryAddress {
    const [, street, city, state, zipCode] = label.exec(request.label) ?? [];
    if (street === undefined || city === undefined || state === undefined || zipCode === undefined) {
      throw new ValidationError([{ pointer: '/label', detail: 'must read "street, city, state zip"' }]);
    }
    const { orderId } = request;
    return messageOf(ChangeDeliveryAddress, { orderId, shippingAddress: { street, city, state, zipCode } });
  }
}
