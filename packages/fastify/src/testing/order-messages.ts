/** The messages of the service that the tests of this package serve, with readers and writers as the generator writes them. */
import type { Command, Decimal, Event, Uuid } from '@svc/core';
import {
  atLeast,
  countKeys,
  isObject,
  itemsWithin,
  readDecimal,
  readInteger,
  readJson,
  readString,
  readUuid,
  writeString,
  type Draft,
  type Issues,
} from '@svc/core/json';

export interface LineItem {
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: Decimal;
}

export interface Address {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
}

export class CreateOrder implements Command {
  readonly customerId!: Uuid;
  readonly lineItems!: LineItem[];
  readonly shippingAddress!: Address;
  readonly attributes?: unknown;
}

export interface OrderCreated {
  readonly orderId: Uuid;
  readonly total: string;
}

export class OrderPlaced implements Event {
  readonly customerId!: Uuid;
}

const createOrderKeys = ['customerId', 'lineItems', 'shippingAddress', 'attributes'];

export function readCreateOrder(value: unknown, issues: Issues): CreateOrder {
  if (!isObject(value)) return issues.reject(value, 'an object');
  const start = issues.count;
  const customerId = readUuid(value['customerId'], issues, 'customerId');
  const lineItems = issues.under('lineItems', issues.count, readLineItems(value['lineItems'], issues));
  const shippingAddress = issues.under('shippingAddress', issues.count, readAddress(value['shippingAddress'], issues));
  const attributes =
    value['attributes'] === undefined
      ? undefined
      : issues.under('attributes', issues.count, readJson(value['attributes'], issues));
  const keyCount = 3 + (attributes === undefined ? 0 : 1);
  if (issues.count !== start || countKeys(value) !== keyCount) {
    issues.unknownKeys(value, createOrderKeys);
    if (issues.count !== start) return undefined as never;
  }
  const result = new CreateOrder() as Draft<CreateOrder>;
  result.customerId = customerId;
  result.lineItems = lineItems;
  result.shippingAddress = shippingAddress;
  if (attributes !== undefined) result.attributes = attributes;
  return result;
}

function readLineItems(value: unknown, issues: Issues): LineItem[] {
  if (!Array.isArray(value)) return issues.reject(value, 'an array');
  itemsWithin(value.length, 1, Infinity, issues);
  const result: LineItem[] = [];
  for (let i = 0; i < value.length && !issues.full; i++) {
    result.push(issues.under(i, issues.count, readLineItem(value[i], issues)));
  }
  return result;
}

const lineItemKeys = ['productId', 'quantity', 'unitPrice'];

function readLineItem(value: unknown, issues: Issues): LineItem {
  if (!isObject(value)) return issues.reject(value, 'an object');
  const start = issues.count;
  const productId = readString(value['productId'], issues, 'productId');
  const quantity = atLeast(readInteger(value['quantity'], issues, 'quantity'), 1, issues, 'quantity');
  const unitPrice = readDecimal(value['unitPrice'], issues, 'unitPrice');
  if (issues.count !== start || countKeys(value) !== 3) issues.unknownKeys(value, lineItemKeys);
  return { productId, quantity, unitPrice };
}

const addressKeys = ['street', 'city', 'state', 'zipCode'];

function readAddress(value: unknown, issues: Issues): Address {
  if (!isObject(value)) return issues.reject(value, 'an object');
  const start = issues.count;
  const street = readString(value['street'], issues, 'street');
  const city = readString(value['city'], issues, 'city');
  const state = readString(value['state'], issues, 'state');
  const zipCode = readString(value['zipCode'], issues, 'zipCode');
  if (issues.count !== start || countKeys(value) !== 4) issues.unknownKeys(value, addressKeys);
  return { street, city, state, zipCode };
}

export function writeOrderCreated(value: OrderCreated): string {
  return `{"orderId":${writeString(value.orderId)},"total":${writeString(value.total)}}`;
}
